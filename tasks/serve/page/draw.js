// What is shown, built of nodes: text of documents becomes text, never markup.

import { picture } from "/static/api.js";

// An element with attributes and children; strings become text.
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const RULE = /^\|[\s:|-]+\|$/;

function cells(line) {
  return line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function table(lines) {
  const ruled = lines.length > 1 && RULE.test(lines[1].trim());
  const rows = lines.filter((line) => !RULE.test(line.trim()));
  const row = (line, tag) => el("tr", {}, ...cells(line).map((cell) => el(tag, {}, cell)));
  const head = ruled ? [el("thead", {}, row(rows[0], "th"))] : [];
  const body = el("tbody", {}, ...(ruled ? rows.slice(1) : rows).map((line) => row(line, "td")));
  return el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }, el("table", {}, ...head, body));
}

// The text with its Markdown tables as tables; all other text as it is.
export function prose(text) {
  const shown = document.createDocumentFragment();
  let plain = [];
  let rows = [];
  const flush = () => {
    const kept = plain.join("\n").replace(/^\n+|\n+$/g, "");
    if (kept) shown.append(el("p", { class: "text" }, kept));
    if (rows.length) shown.append(table(rows));
    plain = [];
    rows = [];
  };
  for (const line of text.split("\n")) {
    const isRow = /^\s*\|.*\|\s*$/.test(line);
    if (isRow !== rows.length > 0) flush();
    (isRow ? rows : plain).push(line);
  }
  flush();
  return shown;
}

const percent = (part, whole) => `${(100 * part) / whole}%`;

function overlay(box, size) {
  const mark = el("span", { class: "box" });
  Object.assign(mark.style, {
    left: percent(box.x0, size.width),
    top: percent(box.y0, size.height),
    width: percent(box.x1 - box.x0, size.width),
    height: percent(box.y1 - box.y0, size.height),
  });
  return mark;
}

// Fill `frame` with the picture of a page and the boxes on it, the first of them in sight; or with why there is none.
export async function drawPage(frame, id, page, boxes) {
  frame.replaceChildren(el("p", { class: "quiet wait" }, `Drawing page ${page} …`));
  try {
    const found = await picture(id, page);
    const image = el("img", { alt: `Page ${page}`, src: found.url });
    await image.decode();
    URL.revokeObjectURL(found.url);
    const sheet = el("div", { class: "sheet" }, image, ...boxes.map((box) => overlay(box, found)));
    frame.replaceChildren(sheet);
    const first = sheet.querySelector(".box");
    if (first) frame.scrollTop = first.offsetTop - Math.max(12, (frame.clientHeight - first.offsetHeight) / 2);
  } catch (error) {
    frame.replaceChildren(el("p", { class: "quiet none" }, error.message));
  }
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
