// Requests to the server that sent this page. A token, where one is needed, is kept until the tab is closed.

const KEY = "pagemill-token";

// A token is needed; the message says what is wrong with the one that was sent, and is blank if none was.
export class Refused extends Error {}

export function keepToken(token) {
  sessionStorage.setItem(KEY, token);
}

async function request(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(given).toString();
  const token = sessionStorage.getItem(KEY);
  let answer;
  try {
    answer = await fetch(query ? `${path}?${query}` : path, token ? { headers: { Authorization: `Bearer ${token}` } } : {});
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  const message = told.message || `The server answered with status ${answer.status}.`;
  throw answer.status === 401 ? new Refused(token ? sentence(message) : "") : new Error(sentence(message));
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

export async function json(path, parameters) {
  return (await request(path, parameters)).json();
}

export async function health() {
  const answer = await fetch("/health");
  return answer.json();
}

// The picture of a page as an address for <img>, and the size of the page in points.
export async function picture(id, page) {
  const answer = await request(`/documents/${encodeURIComponent(id)}/pages/${page}`);
  const [width, height] = ["page-width", "page-height"].map((name) => Number(answer.headers.get(name)));
  return { url: URL.createObjectURL(await answer.blob()), width, height };
}
