# SPDX-License-Identifier: MIT
"""Pages that no one writes: keys, commands, materials and presets as the program lists them, the C and the Python
interface as their comments tell them."""

from __future__ import annotations

import ast
import html
import json
import re
import subprocess
import textwrap
from pathlib import Path
from typing import Any, Optional

from .stage import anchor_of_key


def said(aula: Path, *arguments: str) -> str:
    """What the program prints."""
    done = subprocess.run([str(aula), *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise ValueError(f"aula {' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout


def code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>"


# ---- keys ----


def keys(aula: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(said(aula, "info", "--keys", "--json"))["keys"]
    return listed


def number(value: float) -> str:
    return f"{value:,.10g}".replace(",", " ") if abs(value) < 1e5 else f"{value:g}"


def limits(key: dict[str, Any]) -> str:
    if "choices" in key:
        return " or ".join(code(f'"{choice}"') for choice in key["choices"])
    start = f"above {number(key['above'])}" if "above" in key else number(key["least"]) if "least" in key else ""
    if "most" not in key:
        return f"from {start}" if start else ""
    return f"{start} to {number(key['most'])}" if start else f"up to {number(key['most'])}"


def key_entry(key: dict[str, Any], entry: str) -> str:
    kind = key["type"] + (f", {key['unit']}" if key.get("unit") else "")
    only = "; ".join(f"{name} = {' or '.join(values)}" for name, values in key.get("only_for", {}).items())
    facts = []
    if key["required"]:
        facts.append("required")
    elif key.get("default") not in (None, ""):
        facts.append("default " + code(str(key["default"])))
    facts += [limits(key)] if limits(key) else []
    facts += [f"where {code(only)}"] if only else []
    return (
        f'<div class="entry" id="{entry}"><p><code class="name">{html.escape(key["key"])}</code> '
        f'<span class="kind">{html.escape(kind)}</span></p>'
        f'<p>{html.escape(key["meaning"])}</p><p class="facts">{" · ".join(facts)}</p></div>\n'
    )


def keys_page(aula: Path) -> str:
    out = [
        "# Keys of a room file\n\nEvery key, as `aula info --keys` lists them: type, unit, meaning, default, range. "
        "`[]` stands for each entry of a list; on the command line it is `[0]`, `[1]`: "
        "`--set 'sources[0].gain=2.0'`. How they go together: "
        "[room files](../docs/guide/room-file.md).\n"
    ]
    group = ""
    seen: set[str] = set()
    for key in keys(aula):
        first = re.split(r"[.\[]", key["key"])[0]
        if first != group:
            group = first
            out.append(f"\n## {group}\n")
        entry = anchor_of_key(key["key"])
        entry = entry if entry not in seen else f"{entry}-{len(seen)}"
        seen.add(entry)
        out.append(key_entry(key, entry))
    return "\n".join(out)


# ---- commands ----


def commands_page(aula: Path) -> str:
    overview = said(aula, "--help")
    out = [f"# Commands\n\nWhat `aula --help` and `aula COMMAND --help` print.\n\n```\n{overview}```\n"]
    for name in re.findall(r"^  ([a-z]+)  +\S", overview, re.M):
        if name != "aula":
            out.append(f"## aula {name}\n\n```\n{said(aula, name, '--help')}```\n")
    return "\n".join(out)


def manual_page(root: Path) -> str:
    """As `man` shows it, or its source where there is no groff."""
    page = root / "docs/aula.1"
    try:
        text = subprocess.run(
            ["groff", "-man", "-Tutf8", "-P-cbou", "-rLL=100n", "-K", "utf8", str(page)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        text = page.read_text(encoding="utf-8")
    return f"# Manual page\n\n`man aula`, or `man -l docs/aula.1` in the source.\n\n```\n{text.strip()}\n```\n"


# ---- materials, presets ----


def materials_page(aula: Path) -> str:
    listed = json.loads(said(aula, "info", "--materials", "--json"))
    bands = listed["octave_bands"]
    head = "| material | " + " | ".join(f"{band:g}" for band in bands) + " |\n|---|" + "---|" * len(bands)
    rows = [
        f"| `{m['name']}` | " + " | ".join(f"{a:.2f}" for a in m.get("asked", m["target"])) + " |"
        for m in listed["materials"]
    ]
    return (
        "# Materials\n\nThe library that ships: random-incidence absorption by octave (Hz). The publication of each "
        "stands in `rooms/materials.cfg`; what the walls of a simulation have of it: `aula info --materials` and "
        "[walls](../docs/science/walls.md).\n\n" + head + "\n" + "\n".join(rows) + "\n"
    )


def presets(root: Path) -> list[dict[str, str]]:
    """name, type, description and source of each entry of rooms/instruments.cfg."""
    text = (root / "rooms/instruments.cfg").read_text(encoding="utf-8")
    found = []
    for name, body in re.findall(r"^  (\w+) =\n  \{\n(.*?)^  \};", text, re.M | re.S):
        entry = {"name": name}
        for key, value in re.findall(r'^    (\w+) = ((?:"[^"]*"\s*)+);', body, re.M):
            entry[key] = "".join(re.findall(r'"([^"]*)"', value))
        found.append(entry)
    return found


def presets_page(root: Path, players: dict[str, str]) -> str:
    out = [
        "# The presets\n\nThe instruments of `rooms/instruments.cfg`, each struck or plucked once as the library "
        "says, alone: what a pickup on it hears, without air and without a room (`aula synth --dry`), at 48 kHz. "
        "In a room they share its air "
        "([instruments](../docs/science/instruments.md), [pieces](../docs/guide/pieces.md)).\n"
    ]
    for entry in presets(root):
        out.append(f"## {entry['name']}\n")
        out.append(players.get(entry["name"], ""))
        out.append(
            f"\n{html.escape(entry.get('type', '').capitalize())}. {html.escape(entry.get('description', ''))}.\n"
        )
        if "source" in entry:
            out.append(f"*{html.escape(entry['source'])}*\n")
    return "\n".join(out)


# ---- the C interface ----


def unstarred(comment: str) -> str:
    return "\n".join(re.sub(r"^ \* ?", "", line) for line in comment.strip()[2:-2].strip("\n").split("\n")).strip()


def conventions(text: str) -> str:
    """The first comment: lists of `word   text` as tables, the rest as code."""
    out, rows = [], []
    for part in re.split(r"\n\n", text):
        title, _, body = part.strip("\n").partition("\n")
        body = re.sub(r" *\n {6,}(?=\S)", " ", body) if re.match(r"  \w+  ", body) else body
        rows = re.findall(r"^  (\w+)  +(.*)", body, re.M)
        if rows:
            cells = [f"| {word} | {meaning} |" for word, meaning in rows]
            out.append(f"## {title}\n\n| | |\n|---|---|\n" + "\n".join(cells).replace("*", "\\*") + "\n")
        else:
            out.append(f"## {title}\n\n```\n{textwrap.dedent(body)}\n```\n")
    return "\n".join(out)


def c_page(root: Path) -> str:
    text = (root / "src/app/api/aula.h").read_text(encoding="utf-8")
    first, rest = text.split("*/", 1)
    intro = unstarred(first + "*/")
    title, _, intro = intro.partition("\n")
    out = [f"# C interface\n\nFrom the comments of `src/app/api/aula.h`. {title}\n\n{conventions(intro.strip())}"]
    names: list[str] = []
    rest = rest[rest.index("#define AULA_API") :]
    for part in re.split(r"\n\n+", rest):
        section = re.match(r"/\* ---- (.*?) ----", part)
        if section:
            out.append(f"## {section[1]}\n")
            part = part[part.index("*/") + 2 :] if part.count("*/") else ""
        if not part.strip() or part.lstrip().startswith(("#ifdef", "#endif", "#define AULA_API")):
            continue
        here = re.findall(r"^AULA_API .*?(\w+)\(", part, re.M) + re.findall(r"^(?:struct|enum) (\w+) \{", part, re.M)
        names += here
        out.append("".join(f'<a id="{name}"></a>' for name in here) + "\n")
        comment = re.match(r"\s*(/\*.*?\*/)\s*\n", part, re.S)
        if comment:
            out.append(html.escape(unstarred(comment[1])).replace("*", "\\*").replace("_", "\\_") + "\n")
            part = part[comment.end() :]
        out.append(f"```\n{part.replace('AULA_API ', '').strip()}\n```\n")
    index = " · ".join(f"[`{name}`](#{name})" for name in sorted(names))
    out.insert(1, f"## Index\n\n{index}\n")
    return "\n".join(out)


# ---- the Python interface ----


def exported(package: Path) -> dict[str, str]:
    """The names that `import aula` gives, and the module of each."""
    found: dict[str, str] = {}
    for node in ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module and not node.module.startswith("_"):
            found.update({name.asname or name.name: node.module for name in node.names})
    return found


def arguments(given: ast.arguments) -> list[str]:
    """Each with its type and default, without `self`."""

    def shown(argument: ast.arg, default: Optional[ast.expr], star: str = "") -> str:
        kind = f": {ast.unparse(argument.annotation)}" if argument.annotation else ""
        return star + argument.arg + kind + (f" = {ast.unparse(default)}" if default else "")

    places = given.posonlyargs + given.args
    defaults: list[Optional[ast.expr]] = [None] * (len(places) - len(given.defaults))
    out = [shown(argument, default) for argument, default in zip(places, defaults + list(given.defaults))]
    out += [shown(given.vararg, None, "*")] if given.vararg else ["*"] if given.kwonlyargs else []
    out += [shown(argument, default) for argument, default in zip(given.kwonlyargs, given.kw_defaults)]
    out += [shown(given.kwarg, None, "**")] if given.kwarg else []
    return [argument for argument in out if argument != "self"]


def signature(node: ast.FunctionDef) -> str:
    shown = arguments(node.args)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{node.name}({', '.join(shown)}){returns}"
    return line if len(line) < 90 else f"{node.name}(\n    " + ",\n    ".join(shown) + f",\n){returns}"


def escaped(line: str) -> str:
    line = re.sub(r":(?:class|func|meth|data|attr):`~?([^`]+)`", r"`\1`", line)
    plain = re.split(r"(`+[^`]*`+)", html.escape(line, quote=False))
    return "".join(part if part.startswith("`") else part.replace("*", "\\*") for part in plain)


def prose(text: str) -> str:
    """A docstring: what is indented after a line that ends in :: is code, `Args:` and its like are lists."""
    out: list[str] = []
    code, section = False, False
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            code, section = line.endswith("::"), line in ("Args:", "Returns:", "Raises:", "Yields:", "Attributes:")
            line = f"\n**{line[:-1]}**\n" if section else escaped(line.removesuffix(":") if code else line)
        elif section and re.match(r"    \S", line):
            named = re.match(r"    ([\w*, ]+):(?: |$)(.*)", line)
            line = f"- `{named[1]}`: {escaped(named[2])}" if named else f"- {escaped(line.strip())}"
        elif not code:
            line = ("  " if section else "") + escaped(line.strip())
        out.append(line)
    return "\n".join(out)


def documented(node: ast.AST, name: str, depth: str) -> list[str]:
    text = prose(ast.get_docstring(node) or "")  # type: ignore[arg-type]
    if isinstance(node, ast.FunctionDef):
        decorators = [ast.unparse(d) for d in node.decorator_list]
        if "property" in decorators:
            kind = f", `{ast.unparse(node.returns)}`" if node.returns else ""
            return [f"{depth} {name}\n\n*Property*{kind}. {text}\n"]
        return [f"{depth} {name}\n\n```\n{signature(node).replace(node.name, name, 1)}\n```\n\n{text}\n"]
    assert isinstance(node, ast.ClassDef)
    out = [f"{depth} {name}\n"]
    start = next((m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
    fields = [m for m in node.body if isinstance(m, ast.AnnAssign)]
    if start:
        out.append(f"```\n{signature(start).replace('__init__', name, 1).removesuffix(' -> None')}\n```\n")
    elif fields:
        out.append("```\n" + "\n".join(ast.unparse(m) for m in fields) + "\n```\n")
    out.append(text + "\n")
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_") and ast.get_docstring(member):
            out += documented(member, f"{name}.{member.name}", depth + "#")
    return out


def python_page(root: Path) -> str:
    package = root / "python/aula"
    intro = prose(ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or "")
    out = [
        "# Python interface\n\nFrom the docstrings of the package; the guide is [Python](../docs/guide/python.md).\n\n"
        f"{intro}\n"
    ]
    order = ["room", "shapes", "response", "metrics", "materials", "batch", "text", "errors"]
    names = exported(package)
    for name, module in sorted(
        names.items(), key=lambda item: (order.index(item[1]) if item[1] in order else len(order), item[1])
    ):
        tree = ast.parse((package / f"{module}.py").read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
                out += documented(node, f"aula.{name}", "##")
    tree = ast.parse((package / "pra.py").read_text(encoding="utf-8"))
    out.append(f"## aula.pra\n\n{prose(ast.get_docstring(tree) or '')}\n")
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and ast.get_docstring(node):
            out += documented(node, f"aula.pra.{node.name}", "###")
    return "\n".join(out)
