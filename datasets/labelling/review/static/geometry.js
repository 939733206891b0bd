// Quads: four [x, y] corners, from the face's own top left, clockwise on the picture.

export const middle = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / 4);

export const moved = (quad, dx, dy) => quad.map(([x, y]) => [x + dx, y + dy]);

/** Turned about its middle, degrees clockwise. */
export function turned(quad, degrees) {
  const [x, y] = middle(quad);
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return quad.map(([u, v]) => [x + (u - x) * cos - (v - y) * sin, y + (u - x) * sin + (v - y) * cos]);
}

/** The same place with another corner as the face's own top left. */
export const rolled = (quad, steps) => quad.map((_, i) => quad[(i + steps + 4) % 4]);

/** Grown about its middle along its own axes. */
export function grown(quad, across, down) {
  const frame = axes(quad);
  return scaled(quad, middle(quad), frame, across, down);
}

/** With one corner where the pointer is and the opposite one where it was; sides keep their directions. */
export function stretched(quad, corner, [x, y]) {
  const anchor = quad[(corner + 2) % 4];
  const frame = axes(quad);
  const from = along(frame, quad[corner], anchor);
  const to = along(frame, [x, y], anchor);
  // Never through the anchor: a box may not be turned inside out.
  const times = from.map((value, i) => Math.max(0.05, to[i] / value));
  return scaled(quad, anchor, frame, ...times);
}

/** Of an upright box between two points. */
export function upright([x1, y1], [x2, y2]) {
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
  return [[left, top], [right, top], [right, bottom], [left, bottom]];
}

/** [width, height] in the face's own directions. */
export function sides([a, b, c, d]) {
  return [(Math.hypot(b[0] - a[0], b[1] - a[1]) + Math.hypot(c[0] - d[0], c[1] - d[1])) / 2,
          (Math.hypot(d[0] - a[0], d[1] - a[1]) + Math.hypot(c[0] - b[0], c[1] - b[1])) / 2];
}

export const rounded = (quad) => quad.map((corner) => corner.map((value) => Math.round(value * 10) / 10));

/** Moved so that its middle is on the picture. */
export function within(quad, width, height) {
  const [x, y] = middle(quad);
  return moved(quad, Math.min(Math.max(x, 0), width) - x, Math.min(Math.max(y, 0), height) - y);
}

// Directions of the face's width and height.
function axes([a, b, c, d]) {
  return [[(b[0] + c[0] - a[0] - d[0]) / 2, (b[1] + c[1] - a[1] - d[1]) / 2],
          [(c[0] + d[0] - a[0] - b[0]) / 2, (c[1] + d[1] - a[1] - b[1]) / 2]];
}

// A point as multiples of both axes, from an origin.
function along([[ux, uy], [vx, vy]], [x, y], [ox, oy]) {
  const area = ux * vy - uy * vx;
  return [((x - ox) * vy - (y - oy) * vx) / area, ((y - oy) * ux - (x - ox) * uy) / area];
}

function scaled(quad, origin, frame, across, down) {
  const [[ux, uy], [vx, vy]] = frame;
  return quad.map((corner) => {
    const [s, t] = along(frame, corner, origin);
    return [origin[0] + s * across * ux + t * down * vx, origin[1] + s * across * uy + t * down * vy];
  });
}
