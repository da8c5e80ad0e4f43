// The page: a question and its passages, a document, or the list of documents, by the address.

import { Refused, health, json, keepToken } from "/static/api.js";
import { drawPage, el, plural, prose } from "/static/draw.js";

const LISTED = 50;
const UNANSWERED = 0.35; // as tasks/search/answerability.py
const PAGED = ["application/pdf", "image/tiff"];
const ASKED = ["q", "where", "k", "mode", "all"];
const form = document.getElementById("ask");
const login = document.getElementById("login");
const view = document.getElementById("view");
const status = document.getElementById("status");
let shown = 0;
let followed = ""; // the words of the link that was followed last

const seen = new IntersectionObserver(
  (entries) => {
    for (const entry of entries.filter((each) => each.isIntersecting)) {
      seen.unobserve(entry.target);
      entry.target.draw();
    }
  },
  { rootMargin: "300px" },
);

function follow(address, state) {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    followed = event.currentTarget.textContent;
    history.pushState(state ?? null, "", address);
    scrollTo(0, 0);
    show();
  };
}

function link(address, state, attributes, ...children) {
  return el("a", { href: address, onclick: follow(address, state), ...attributes }, ...children);
}

function say(text, failed = false) {
  status.textContent = text;
  status.className = failed ? "failed" : "quiet";
}

function passage(hit) {
  const pages = hit.pages.length ? hit.pages : [1];
  const at = { document: hit.document_id, page: pages[0], from: hit.start_char, to: hit.end_char };
  const place = (page) => `/?${new URLSearchParams({ ...at, page })}`;
  const state = { boxes: hit.boxes };
  const drawn = hit.boxes.length > 0;
  const named = Boolean(hit.title) && hit.title !== hit.path;
  const where = el("p", { class: "where" }, ...[...hit.section].map((name) => el("span", {}, name)));
  const numbers = drawn ? ["page ", ...pages.flatMap((page, n) => [n ? ", " : "", link(place(page), state, {}, String(page))])] : [];
  const told = drawn ? numbers : [(hit.places ?? []).join(", ")].filter(Boolean);
  const head = el(
    "header",
    {},
    el("h2", {}, link(place(pages[0]), state, {}, hit.title || hit.path)),
    el("p", { class: "quiet" }, named ? el("span", { class: "path" }, hit.path) : "", named && told.length ? " · " : "", ...told),
  );
  const copies = hit.also_in.length ? el("p", { class: "quiet" }, `also in ${hit.also_in.join(", ")}`) : "";
  const text = el("div", { class: "words" }, head, hit.section.length ? where : "", prose(hit.text), copies);
  const card = el("li", { class: drawn ? "card pictured" : "card" }, text);
  if (drawn) card.append(frameOf(hit, pages));
  return card;
}

function frameOf(hit, pages) {
  const page = hit.boxes[0].page_number ?? pages[0];
  const frame = el("div", { class: "frame", tabindex: "0", role: "group", "aria-label": `Page ${page} with the passage marked` });
  const boxes = hit.boxes.filter((box) => box.page_number === page).map((box) => box.bbox);
  frame.draw = () => drawPage(frame, hit.document_id, page, boxes);
  seen.observe(frame);
  return frame;
}

async function showResults(given) {
  say("Searching …");
  const asked = Object.fromEntries(ASKED.map((name) => [name, given.get(name)]));
  const found = await json("/search", asked);
  return () => {
    const doubtful = found.answered !== null && found.answered < UNANSWERED;
    const told = doubtful ? "Nothing seems to answer this. This comes nearest." : plural(found.results.length, "passage");
    say(found.results.length ? told : "Nothing was found. Try other words, or a wider condition.");
    view.replaceChildren(el("ol", { class: "cards" }, ...found.results.map(passage)));
  };
}

async function showDocument(given) {
  say("Opening …");
  const id = given.get("document");
  const path = `/documents/${encodeURIComponent(id)}`;
  const facts = await json(path, { length: 1 });
  const page = Math.min(Math.max(1, Number(given.get("page")) || 1), Math.max(1, facts.n_pages));
  const many = facts.n_pages > 1;
  const part = await json(path, { page: many ? page : null, length: 200000 });
  return () => {
    say("");
    view.replaceChildren(documentHead(facts), many ? pager(given, page, facts.n_pages) : "", sheetOf(facts, page, part, given));
  };
}

function documentHead(facts) {
  const kind = facts.path.includes(".") ? facts.path.split(".").pop().toUpperCase() : facts.media_type;
  const listed = [facts.author, facts.created?.slice(0, 10), kind, plural(facts.n_pages, "page"), plural(facts.n_chars, "character")];
  const stale = facts.state === "stale" ? el("p", { class: "failed" }, "The file has changed since, and could not be read again.") : "";
  return el(
    "header",
    { class: "document" },
    el("h1", {}, facts.title || facts.path),
    el("p", { class: "quiet path" }, facts.path),
    el("p", { class: "quiet" }, listed.filter(Boolean).join(" · ")),
    stale,
  );
}

function pager(given, page, last) {
  const to = (number) => `/?${new URLSearchParams({ ...Object.fromEntries(given), page: number })}`;
  const step = (number, text) =>
    number >= 1 && number <= last
      ? link(to(number), history.state, { class: "step" }, text)
      : el("span", { class: "step off", "aria-hidden": "true" }, text);
  return el("nav", { class: "pager", "aria-label": "Pages" }, step(page - 1, "← Previous"), `Page ${page} of ${last}`, step(page + 1, "Next →"));
}

function sheetOf(facts, page, part, given) {
  const letters = [...part.text];
  const clamp = (value) => Math.min(Math.max(Number(value ?? 0) - part.start_char, 0), letters.length);
  const [from, to] = given.has("to") ? [clamp(given.get("from")), clamp(given.get("to"))] : [0, 0];
  const slice = (low, high) => prose(letters.slice(low, high).join(""));
  const marked = to > from ? el("div", { class: "marked" }, slice(from, to)) : "";
  const words = el("div", { class: "words" }, slice(0, from), marked, slice(Math.max(from, to), letters.length));
  if (!letters.length) words.append(el("p", { class: "quiet" }, "This page has no text."));
  if (part.next_start_char !== null) words.append(el("p", { class: "quiet" }, "The text goes on; programs can read the rest."));
  const paged = PAGED.includes(facts.media_type);
  const boxes = (history.state?.boxes ?? []).filter((box) => box.page_number === page).map((box) => box.bbox);
  const frame = el("div", { class: "frame whole", tabindex: "0", role: "group", "aria-label": `Page ${page}` });
  if (paged) drawPage(frame, facts.document_id, page, boxes).then(() => frame.querySelector(".box")?.scrollIntoView({ block: "nearest" }));
  queueMicrotask(() => marked && !paged && marked.scrollIntoView({ block: "center" }));
  return el("div", { class: paged ? "open pictured" : "open" }, paged ? frame : "", words);
}

async function showList(given) {
  say("Listing …");
  const offset = Math.max(0, Number(given.get("list")) || 0);
  const found = await json("/documents", { offset, limit: LISTED });
  const to = (number) => `/?list=${number}`;
  const rows = found.documents.map((each) =>
    el(
      "li",
      {},
      link(`/?document=${each.document_id}`, null, {}, each.title || each.path),
      el("span", { class: "quiet" }, `${each.path} · ${plural(each.n_pages, "page")}`),
    ),
  );
  return () => {
    const last = offset + rows.length;
    say(rows.length ? `Documents ${offset + 1} to ${last} of ${found.n_documents.toLocaleString("en")}` : "There are no documents.");
    const before = offset > 0 ? link(to(Math.max(0, offset - LISTED)), null, { class: "step" }, "← Previous") : "";
    const next = last < found.n_documents ? link(to(offset + LISTED), null, { class: "step" }, "Next →") : "";
    view.replaceChildren(el("ul", { class: "list" }, ...rows), before || next ? el("nav", { class: "pager", "aria-label": "List" }, before, next) : "");
  };
}

// If what had the focus is gone, its place is the link of the same words, such as to the next page, or else the view.
function keepFocus() {
  if (document.activeElement !== document.body) return;
  const same = [...view.querySelectorAll(".pager a")].find((each) => each.textContent === followed);
  (same ?? view).focus({ preventScroll: true });
}

async function show() {
  const mine = ++shown;
  const given = new URLSearchParams(location.search);
  if (given.has("q")) {
    form.reset();
    for (const name of ASKED) if (given.has(name)) form.elements[name].value = given.get(name);
  }
  document.body.classList.toggle("fresh", !["q", "document", "list"].some((name) => given.has(name)));
  document.getElementById("more").open ||= given.has("where");
  seen.disconnect();
  view.replaceChildren();
  say("");
  try {
    const [, begin] = [["document", showDocument], ["list", showList], ["q", showResults]].find(([name]) => given.has(name)) ?? [];
    const draw = await begin?.(given);
    if (mine !== shown) return;
    draw?.();
    keepFocus();
  } catch (error) {
    if (mine !== shown) return;
    say(error.message, true);
    if (error instanceof Refused) askForToken();
  }
}

form.addEventListener("submit", (event) => {
  const given = [...new FormData(form)].filter(([name, value]) => value !== "" && !(name === "k" && value === "5"));
  const asked = new URLSearchParams(given.filter(([name, value]) => !(name === "mode" && value === "hybrid")));
  if (!asked.get("q")?.trim()) {
    event.preventDefault();
    say("Write a question first.", true);
    return;
  }
  follow(`/?${asked}`)(event);
});

function askForToken() {
  login.reset();
  login.hidden = false;
  login.elements.token.focus();
}

login.addEventListener("submit", (event) => {
  event.preventDefault();
  keepToken(login.elements.token.value.trim());
  login.hidden = true;
  show();
});

async function introduce() {
  const state = await health();
  const size = state.generation ? `${state.n_documents === null ? "" : `${plural(state.n_documents, "document")}, `}generation ${state.generation}` : "nothing published yet";
  document.getElementById("corpus").textContent = `${state.corpus}: ${size}`;
  document.title = `${state.corpus} · Pagemill`;
  const mcp = document.getElementById("mcp");
  mcp.hidden = !state.mcp;
  mcp.querySelector("code").textContent = `${location.origin}/mcp`;
}

document.querySelector(".brand").addEventListener("click", follow("/"));
document.getElementById("all").addEventListener("click", follow("/?list=0"));
addEventListener("popstate", show);
introduce().catch((error) => say(error.message, true));
show();
