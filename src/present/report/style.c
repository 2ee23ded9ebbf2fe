/* SPDX-License-Identifier: MIT */
#include "present/report/style.h"

#include "io/text_stream.h"

#include <stddef.h>

#define LIGHT                                                                                                          \
    "--page:#f6f7f9;--card:#fff;--ink:#1f2933;--faint:#5a6772;--grid:#e3e7ec;--solid:#c9d1da;--link:#0b63a5;"          \
    "--shade:#1f293366;"                                                                                               \
    "--series-0:#0b6fb8;--series-1:#d1492b;--series-2:#1d8f5f;--series-3:#8a4fb5;--series-4:#b07d00;"                  \
    "--series-5:#c2397b;--series-6:#178f9c;--series-7:#7a5c3e;--series-8:#616e7c;--edges:#d400d4;"
#define DARK                                                                                                           \
    "--page:#12161b;--card:#1b2129;--ink:#e6eaef;--faint:#9aa7b4;--grid:#2f3842;--solid:#45515e;--link:#7cc0f5;"       \
    "--shade:#e6eaef66;"                                                                                               \
    "--series-0:#59aef2;--series-1:#ff8266;--series-2:#4fc894;--series-3:#c08ff0;--series-4:#e0b341;"                  \
    "--series-5:#f37fb3;--series-6:#4cc7d4;--series-7:#c79f78;--series-8:#a9b5c1;--edges:#ff66ff;"

static const char *const lines[] = {
    ":root{color-scheme:light dark;" LIGHT "}",
    "@media (prefers-color-scheme:dark){:root{" DARK "}}",
    "*{box-sizing:border-box}",
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,"
    "'Helvetica Neue',Arial,sans-serif;-webkit-text-size-adjust:100%}",
    "main{max-width:1100px;margin:0 auto;padding:16px}",
    "h1{font-size:1.7rem;line-height:1.2;margin:.4em 0 .1em}h2{font-size:1.35rem;margin:0 0 "
    ".3em;overflow-wrap:anywhere}",
    "h3{font-size:1.12rem;margin:1.6em 0 .4em;padding-top:.6em;border-top:1px solid "
    "var(--grid);overflow-wrap:anywhere}",
    "h4{font-size:.95rem;margin:1.3em 0 .3em}p{margin:.4em 0}a{color:var(--link)}",
    ".lead,.notes,figcaption,footer{color:var(--faint);font-size:.86rem}",
    ".notes span{margin-right:1em}",
    "section{background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:18px;margin:16px 0}",
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:8px "
    "24px;align-items:start}",
    ".pair>*{min-width:0}",
    "figure{margin:10px 0}figcaption{margin-bottom:2px}figcaption b{color:var(--ink);font-weight:600}",
    "svg{display:block;width:100%;height:auto;font-family:inherit}",
    ".scene{position:relative;aspect-ratio:8/5;max-height:80vh;width:100%}.scene svg{width:100%;height:100%}",
    ".scene canvas,.live-only{display:none}.live "
    "canvas{display:block;position:absolute;inset:0;width:100%;height:100%}",
    ".live svg{visibility:hidden}.solid:has(.live) .live-only{display:inline}",
    ".faces{touch-action:none;cursor:grab;border-radius:6px}.faces:active{cursor:grabbing}.names{pointer-events:none}",
    ".scene text{font-size:18px;font-weight:600}.scene text,.scene path,.scene "
    "circle{fill:var(--ink);stroke:var(--card);"
    "stroke-width:4px;paint-order:stroke;stroke-linejoin:round}.scene .receiver{fill:var(--card);stroke:var(--ink);"
    "stroke-width:2.5px}",
    ".solid .keys>span::before{border-top-width:10px;width:10px;border-radius:2px}",
    ".keys span[hidden]{display:none}",
    ".keys{display:flex;flex-wrap:wrap;gap:2px 12px;font-size:.8rem;color:var(--faint);margin:2px 0 0}",
    ".keys span::before{content:'';display:inline-block;width:16px;margin-right:5px;vertical-align:middle;"
    "border-top:3px solid var(--key)}",
    ".edges input{margin:0 5px 0 0;vertical-align:middle}",
    /* Shadows at sides that can be scrolled: their covers move with the table. */
    ".wide{overflow-x:auto;margin:6px 0;background:linear-gradient(90deg,var(--card) 40%,transparent) 0 0 local,"
    "linear-gradient(270deg,var(--card) 40%,transparent) 100% 0 local,"
    "linear-gradient(90deg,var(--shade),transparent) 0 0 scroll,"
    "linear-gradient(270deg,var(--shade),transparent) 100% 0 scroll,var(--card);"
    "background-repeat:no-repeat;background-size:44px 100%,44px 100%,16px 100%,16px 100%,auto}",
    "table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums;width:100%}",
    "th,td{padding:4px 8px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--grid)}",
    "th{font-weight:600}thead th{vertical-align:bottom;line-height:1.25}th i{font-weight:400;color:var(--faint);"
    "font-size:.8rem}th:first-child,.words{text-align:left}",
    "tr.weak td,tr.weak th{color:var(--faint)}sup{font-size:.7em;line-height:0}",
    "td.words{white-space:normal;min-width:8em}",
    "dl{margin:6px 0;font-size:.88rem}dl div{display:grid;grid-template-columns:6.5em 1fr;gap:10px;padding:3px 0;"
    "border-bottom:1px solid var(--grid)}dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}",
    ".remarks{list-style:none;padding:0;margin:8px 0;font-size:.84rem;color:var(--faint)}.remarks li{padding:2px 0;"
    "overflow-wrap:anywhere}.remarks b{font-weight:600;color:var(--ink)}.remarks .warning b{color:var(--series-1)}",
    "audio{display:block;width:100%;max-width:480px;height:40px;margin:4px 0}",
    ".sound{margin:10px 0}.sound p{font-size:.86rem;color:var(--faint);margin:0}.sound b{color:var(--ink)}",
    ".ab-panel{display:flex;flex-wrap:wrap;gap:6px;align-items:center;margin:6px 0}.ab-panel "
    "button{font:inherit;font-size:.88rem;padding:4px 12px;border:1px solid var(--solid);border-radius:6px;"
    "background:var(--page);color:var(--ink);overflow-wrap:anywhere}.ab-panel "
    "[aria-pressed=true]{background:var(--link);color:var(--card)}.ab-panel input{flex:1 1 160px;min-width:0}",
    "audio[hidden]{display:none}td.same{color:var(--faint)}",
    ".shown{display:block;max-width:100%;height:auto;background:#fff;border-radius:6px}",
    "footer{padding:4px 2px 24px}",
    ".logo{display:block;height:64px;max-width:45%;object-fit:contain;object-position:left;margin:8px 0;"
    "background:#fff;border-radius:4px}.parties{max-width:640px}.parties dd{font-weight:600}",
    ".verdicts{list-style:none;padding:0;margin:8px 0}.verdicts li{padding:8px 0;border-bottom:1px solid var(--grid);"
    "overflow-wrap:anywhere}.verdicts span:first-of-type{font-weight:600}",
    ".badge{display:inline-block;min-width:4.2em;padding:0 8px;margin-right:8px;border-radius:4px;font-size:.82rem;"
    "text-align:center;border:1.5px solid currentColor}.pass{color:var(--series-2)}.fail{color:var(--series-1)}"
    ".unknown,.none{color:var(--faint)}",
    ".note{max-width:75ch;overflow-wrap:anywhere}.methods li{margin:.3em 0}.methods ul{padding-left:1.2em}",
    "@media (max-width:520px){.scene{aspect-ratio:1}.scene text{font-size:30px}main{padding:8px}section{padding:12px "
    "10px;border-radius:8px}th,td{padding:4px 5px}"
    "table{font-size:.8rem}}",
    "@media print{@page{margin:15mm 15mm 16mm;@bottom-right{content:counter(page) ' / ' counter(pages);font-size:8pt}}"
    ":root{color-scheme:light;" LIGHT "--page:#fff;font-size:10pt}body{font-size:10pt}main{max-width:none;padding:0}",
    "section{border:0;padding:0;border-radius:0}.file~.file,.cover~section:not(.heard){break-before:page}"
    "figure,tr,dl div,.limits,.verdicts li,.remarks li{break-inside:avoid}thead{display:table-header-group}"
    ".live canvas,.solid .live-only{display:none!important}.live svg{visibility:visible}.scene{max-height:72mm}"
    "h2,h3,h4{break-after:avoid}p,li{orphans:3;widows:3}.sound,.heard,audio,video,.edges{display:none}"
    ".wide{overflow:visible;background:none;break-inside:avoid}a{color:inherit;text-decoration:none}",
    ".pair{grid-template-columns:1fr 1fr}figure{margin:3px 0}h3{margin-top:.6em}.plots{gap:0 24px}.plots "
    "svg{max-height:38mm}table{font-size:8.5pt}th,td{padding:2px 5px}"
    "svg,.keys span::before{print-color-adjust:exact;-webkit-print-color-adjust:exact}}",
};

void style_write(FILE *stream)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        fprintf(stream, "%s\n", lines[i]);
}
