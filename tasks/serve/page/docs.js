// The description of the paths, from the server's own OpenAPI document.

import { el } from "/static/draw.js";

function kind(schema) {
  const one = (schema.anyOf ?? [schema]).find((each) => each.type !== "null") ?? {};
  if (one.enum) return one.enum.join(" | ");
  const limits = [one.minimum !== undefined ? `from ${one.minimum}` : "", one.maximum !== undefined ? `to ${one.maximum}` : ""];
  return [one.type ?? "", ...limits].filter(Boolean).join(" ");
}

function parameter(given) {
  const schema = given.schema;
  const told = [kind(schema), given.required ? "required" : "", schema.default !== undefined ? `default ${schema.default}` : ""];
  const description = given.description ?? schema.description ?? "";
  return [el("dt", {}, el("code", {}, given.name), el("span", { class: "quiet" }, `  ${told.filter(Boolean).join(", ")}`)), el("dd", {}, description)];
}

function path(address, operation) {
  return el(
    "article",
    {},
    el("h2", {}, el("code", {}, `GET ${address}`)),
    el("p", {}, `${operation.description}`),
    el("dl", {}, ...(operation.parameters ?? []).flatMap(parameter)),
  );
}

const described = await (await fetch("/openapi.json")).json();
const articles = Object.entries(described.paths).map(([address, methods]) => path(address, methods.get));
document.getElementById("paths").replaceChildren(...articles);
