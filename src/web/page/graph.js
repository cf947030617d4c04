// Drawings: the value of a game after each move, and the curves of the statistics.

const SVG = "http://www.w3.org/2000/svg";

function draw(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Makes an empty drawing with a scale; returns it with its coordinates. */
function frame(count, low, high, ticks, height) {
  const [width, left, top, bottom] = [480, 26, 8, 16];
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  const x = (index) => left + ((width - left - 8) * index) / Math.max(count, 1);
  const y = (number) => top + ((height - top - bottom) * (high - number)) / (high - low);
  for (const tick of ticks) {
    svg.append(draw("line", { x1: left, x2: width - 8, y1: y(tick), y2: y(tick), class: tick === 0 ? "axis" : "grid-line" }));
    svg.append(draw("text", { x: left - 4, y: y(tick) + 3, "text-anchor": "end" }, String(tick).replace("-", "−")));
  }
  return { svg, x, y, width, height };
}

/** Runs of consecutive points, with gaps where points are missing. */
function curve({ svg, x, y }, points, classes) {
  let path = "";
  let pen = false;
  points.forEach((number, index) => {
    if (number === null) pen = false;
    else {
      path += `${pen ? "L" : "M"}${x(index).toFixed(1)} ${y(number).toFixed(1)}`;
      pen = true;
    }
  });
  svg.append(draw("path", { d: path, class: `curve ${classes}` }));
}

/** The value after each move; `go(ply)` is called with the point that was chosen. */
export function drawGame(element, points, costs, now, go) {
  const known = points.filter(Boolean);
  const most = Math.max(4, ...known.map(({ number }) => Math.abs(number)));
  const top = Math.ceil(most / 4) * 4;
  const place = frame(points.length - 1, -top, top, [-top, -top / 2, 0, top / 2, top], 150);
  const { svg, x, y, height } = place;
  const mistakes = costs.filter((cost) => cost > 0).length;
  svg.setAttribute("aria-label", `Graph of the game: ${known.length} of ${points.length} positions have a value, ${mistakes} mistakes`);
  svg.append(draw("line", { x1: x(now), x2: x(now), y1: 4, y2: height - 12, class: "now" }));
  curve(place, points.map((point) => point?.number ?? null), "");
  points.forEach((point, ply) => {
    const area = draw("rect", { x: x(ply - 0.5), y: 0, width: Math.max(x(1) - x(0), 3), height, class: "hit" });
    area.append(draw("title", {}, ply === 0 ? "start" : `move ${ply}`));
    area.addEventListener("click", () => go(ply));
    if (point) svg.append(marker(place, point, costs[ply - 1] ?? 0));
    if (point && costs[ply - 1] > 0) {
      const above = point.number < 0 ? -8 : 14;
      const anchor = ply === points.length - 1 ? "end" : "middle";
      svg.append(draw("text", { x: x(ply), y: y(point.number) + above, "text-anchor": anchor, class: "cost" }, `−${costs[ply - 1]}`));
    }
    svg.append(area);
  });
  const step = Math.max(1, Math.ceil((points.length - 1) / 12));
  for (let ply = 0; ply < points.length; ply += step) {
    svg.append(draw("text", { x: x(ply), y: height - 4, "text-anchor": "middle" }, ply));
  }
  element.replaceChildren(svg);
}

function marker({ x, y }, { ply, number, exact }, cost) {
  const [cx, cy] = [x(ply), y(number)];
  if (cost > 0) return draw("path", { d: `M${cx} ${cy - 5}l5 5l-5 5l-5 -5z`, class: "mistake" });
  return draw("circle", { cx, cy, r: 3, class: exact ? "point" : "point estimate" });
}

/** One point per game: 1, ½ or 0. */
export function drawResults(element, points) {
  const place = frame(points.length - 1, 0, 1, [0, 0.5, 1], 70);
  const { svg, x, y } = place;
  svg.setAttribute("aria-label", `Results of ${points.length} games`);
  points.forEach((number, index) => svg.append(draw("circle", { cx: x(index), cy: y(number), r: 2, class: "point" })));
  element.replaceChildren(svg);
}

/** The share of points of all games so far, and of the last 50. */
export function drawShares(element, all, last) {
  const place = frame(all.length - 1, 0, 1, [0, 0.25, 0.5, 0.75, 1], 130);
  place.svg.setAttribute("aria-label", all.length ? `Win share after ${all.length} games: ${percent(all.at(-1))}` : "No games");
  curve(place, last, "dashed");
  curve(place, all, "");
  element.replaceChildren(place.svg);
}

/** `62 %` */
export const percent = (share) => `${Math.round(100 * share)} %`;
