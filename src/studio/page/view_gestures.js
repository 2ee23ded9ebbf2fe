/* SPDX-License-Identifier: MIT */
/* Mouse, fingers and keys on a canvas, as gestures: turn or pan by pixels, zoom about a place, click, hover. */

const SLOP = 4; /* px that a click may move */

const local = (element, event) => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
};

/* acts: {drag(dx, dy), pan(dx, dy), zoom(factor, x, y), click(x, y), double(x, y), hover(x, y) or hover(null),
   key(event), grab(x, y, event): an object {move(x, y, event), end(cancelled)} that takes the drag, or null}. */
export function gestures(element, acts) {
    const fingers = new Map();
    let start = null, moved = false, taken = null, lastTap = null;

    function release(cancelled) {
        if (taken)
            taken.end(cancelled);
        taken = null;
    }

    function pinch(id, now, old) {
        const other = [...fingers].find(([key]) => key !== id)[1];
        const apart = p => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
        acts.zoom(apart(now) / apart(old), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
        acts.pan((now[0] - old[0]) / 2, (now[1] - old[1]) / 2);
    }

    element.addEventListener('pointerdown', event => {
        const at = local(element, event);
        element.focus({preventScroll: true});
        element.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, at);
        if (fingers.size === 1) {
            [start, moved] = [at, false];
            taken = event.button === 0 && !event.shiftKey && acts.grab ? acts.grab(...at, event) : null;
        } else {
            moved = true;
            release(true);
        }
    });
    element.addEventListener('pointermove', event => {
        const old = fingers.get(event.pointerId), now = local(element, event);
        if (!old) {
            acts.hover(...now);
            return;
        }
        if (!moved && Math.hypot(now[0] - start[0], now[1] - start[1]) < SLOP)
            return;
        moved = true;
        fingers.set(event.pointerId, now);
        const by = [now[0] - old[0], now[1] - old[1]];
        if (fingers.size > 1)
            pinch(event.pointerId, now, old);
        else if (taken)
            taken.move(...now, event);
        else if (event.shiftKey || event.buttons & 6)
            acts.pan(...by);
        else
            acts.drag(...by);
    });
    element.addEventListener('pointerup', event => {
        if (!fingers.delete(event.pointerId) || fingers.size)
            return;
        release(false);
        if (moved || event.button)
            return;
        const twice = lastTap && event.timeStamp - lastTap.time < 350 &&
            Math.hypot(start[0] - lastTap.at[0], start[1] - lastTap.at[1]) < 12;
        lastTap = twice ? null : {time: event.timeStamp, at: start};
        if (twice)
            acts.double(...start);
        else
            acts.click(...start);
    });
    for (const end of ['pointercancel', 'lostpointercapture'])
        element.addEventListener(end, event => {
            if (fingers.delete(event.pointerId))
                release(true);
        });
    element.addEventListener('pointerleave', () => {
        if (!fingers.size)
            acts.hover(null);
    });
    element.addEventListener('contextmenu', event => event.preventDefault());
    element.addEventListener('wheel', event => {
        event.preventDefault();
        const pixels = event.deltaY * [1, 20, 300][event.deltaMode];
        acts.zoom(Math.exp(-Math.max(-240, Math.min(240, pixels)) * (event.ctrlKey ? 0.01 : 0.0017)),
            ...local(element, event));
    }, {passive: false});
    element.addEventListener('keydown', event => {
        if (event.key === 'Escape' && taken) {
            release(true);
            moved = true;
        }
        if (!event.ctrlKey && !event.altKey && !event.metaKey && acts.key(event))
            event.preventDefault();
    });
}
