/*
 * Writes single values into `wrangler.toml` and leaves everything else as it is, comments too. It knows as much of TOML
 * as such files use; what it has written is read back, and where that differs nothing is changed.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { loadWrangler } from "./toolchain.mjs";

const HEADER = /^\s*(\[\[?)\s*([\w.-]+)\s*\]\]?\s*(?:#.*)?$/;

/**
 * Sets values in the file. Each edit names a table (`""`: the top), in a list of tables also which of them (`of`, its
 * binding or name), a key and a value; null removes the key. With `env` the tables are those of the environment.
 */
export async function writeSettings(file, edits, env) {
  const before = readFileSync(file, "utf8");
  const after = edits.reduce((text, edit) => withEdit(text, edit, env), before);
  if (after !== before) await replaceIf(file, after, (raw) => edits.every((edit) => isSet(raw, edit, env)));
}

/** Names what an environment does not take over from the top of the file, and therefore has of its own. */
const NOT_INHERITED = [
  "vars",
  "d1_databases",
  "kv_namespaces",
  "r2_buckets",
  "durable_objects",
  "send_email",
  "ratelimits",
];

/**
 * Returns an environment's own settings, made from those of production (`rawConfig`), with placeholders for everything
 * that must be its own.
 */
export function newEnvironment(rawConfig, env) {
  const own = (key, changes) => rawConfig[key]?.map((entry) => ({ ...entry, ...changes }));
  const shared = Object.fromEntries(NOT_INHERITED.map((key) => [key, rawConfig[key]]));
  return {
    name: `${rawConfig.name}-${env}`,
    workers_dev: false,
    routes: [],
    ...shared,
    vars: { ...rawConfig.vars, APP_ORIGIN: `https://${env}.example` },
    d1_databases: own("d1_databases", { database_id: "1", preview_database_id: undefined }),
    kv_namespaces: own("kv_namespaces", { id: "1", preview_id: undefined }),
    r2_buckets: own("r2_buckets", {
      bucket_name: "placeholder-files",
      preview_bucket_name: undefined,
      jurisdiction: undefined,
    }),
    ratelimits: own("ratelimits", { namespace_id: "1001" }),
  };
}

/** Adds an environment to the file. Does nothing where it has one of that name. */
export async function addEnvironment(file, env) {
  const { experimental_readRawConfig } = loadWrangler();
  const { rawConfig } = experimental_readRawConfig({ config: file });
  if (rawConfig.env?.[env]) return;
  const { name, workers_dev, routes, ...own } = newEnvironment(rawConfig, env);
  const lines = [
    "",
    `# A second site with stores and secrets of its own: \`npm run deploy -- --env ${env}\`. What is set here does not`,
    "# follow the settings above.",
    `[env.${env}]`,
    ...pairs({ name, workers_dev, routes }),
  ];
  for (const [key, value] of Object.entries(own)) if (value) lines.push(...tables(`env.${env}.${key}`, value));
  const text = `${readFileSync(file, "utf8").trimEnd()}\n${lines.join("\n")}\n`;
  await replaceIf(file, text, (raw) => raw.env?.[env]?.vars?.APP_ENV === rawConfig.vars?.APP_ENV);
}

function tables(name, value) {
  if (Array.isArray(value)) return value.flatMap((entry) => ["", `[[${name}]]`, ...pairs(entry)]);
  const lists = Object.entries(value).filter(([, entry]) => Array.isArray(entry) && typeof entry[0] === "object");
  if (lists.length > 0) return lists.flatMap(([key, entries]) => tables(`${name}.${key}`, entries));
  return ["", `[${name}]`, ...pairs(value)];
}

const pairs = (values) =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} = ${toToml(value)}`);

/** Writes a value on one line. Texts of TOML and JSON are written alike. */
function toToml(value) {
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  return typeof value === "object" ? `{ ${pairs(value).join(", ")} }` : JSON.stringify(value);
}

/** Writes the text in place of the file once a copy of it was read as it should be. */
async function replaceIf(file, text, isRight) {
  const { experimental_readRawConfig } = loadWrangler();
  const draft = file.replace(/\.toml$/, ".new.toml");
  writeFileSync(draft, text);
  try {
    if (!isRight(experimental_readRawConfig({ config: draft }).rawConfig)) throw new Error("It reads differently.");
    renameSync(draft, file);
  } catch (error) {
    throw new Error(`wrangler.toml could not be changed and is as it was: ${error.message}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

const isNamed = (entry, name) => entry.binding === name || entry.name === name;

function isSet(raw, { table, of, key, value }, env) {
  const top = env ? raw.env?.[env] : raw;
  const place = table ? top?.[table] : top;
  const found = (of === undefined ? place : place?.find((entry) => isNamed(entry, of)))?.[key];
  return JSON.stringify(found ?? null) === JSON.stringify(value);
}

function withEdit(text, { table, of, key, value }, env) {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const name = [...(env ? ["env", env] : []), ...(table ? [table] : [])].join(".");
  const section = sectionsOf(lines).find(
    (part) => part.name === name && (of === undefined || isNamed(textsIn(lines, part), of)),
  );
  if (!section) {
    if (value === null) return text;
    const place = name ? ` of [${name}]` : "";
    throw new Error(
      `wrangler.toml has an unusual form: set ${key} = ${toToml(value)}${place} by hand, then run this again.`,
    );
  }
  const entry = entriesIn(lines, section).find((found) => found.key === key);
  const written = value === null ? [] : [`${key} = ${toToml(value)}`];
  if (entry) {
    const comment = entry.comment && written.length > 0 ? ` ${entry.comment}` : "";
    lines.splice(entry.from, entry.to - entry.from + 1, ...written.map((line) => line + comment));
  } else lines.splice(placeFor(key, lines, section), 0, ...written);
  return lines.join(lineEnd);
}

/** Returns the tables of the file with the lines of their content, from `from` up to `to`. */
function sectionsOf(lines) {
  const headers = lines.flatMap((line, index) => {
    const [, , name] = HEADER.exec(line) ?? [];
    return name ? [{ name, from: index + 1 }] : [];
  });
  const parts = [{ name: "", from: 0 }, ...headers];
  return parts.map((part, index) => ({ ...part, to: parts[index + 1] ? parts[index + 1].from - 1 : lines.length }));
}

/** Returns the keys of a table with the lines their values take, and the comment behind them. */
function entriesIn(lines, section) {
  const entries = [];
  for (let at = section.from; at < section.to; at += 1) {
    const [start, key] = /^\s*([\w-]+)\s*=\s*/.exec(lines[at]) ?? [];
    if (!key) continue;
    const end = endOfValue(lines, at, start.length);
    entries.push({ key, from: at, to: end.line, comment: lines[end.line].slice(end.column).trim() });
    at = end.line;
  }
  return entries;
}

const TOKEN = /"(?:\\.|[^"\\])*"|'[^']*'|#|[[\]{}]/g;

/** Finds where a value ends: at the end of a line, or its comment, on which every bracket is closed. */
function endOfValue(lines, firstLine, firstColumn) {
  let depth = 0;
  for (let line = firstLine; line < lines.length; line += 1) {
    const start = line === firstLine ? firstColumn : 0;
    const tokens = [...lines[line].slice(start).matchAll(TOKEN)];
    const comment = tokens.find(([token]) => token === "#");
    for (const { 0: token, index } of tokens) {
      if (comment && index > comment.index) break;
      if (token === "[" || token === "{") depth += 1;
      if (token === "]" || token === "}") depth -= 1;
    }
    if (depth <= 0) return { line, column: comment ? start + comment.index : lines[line].length };
  }
  return { line: lines.length - 1, column: lines.at(-1).length };
}

/** Returns the texts of a table by their keys. */
function textsIn(lines, section) {
  const found = lines.slice(section.from, section.to).map((line) => /^\s*([\w-]+)\s*=\s*["']([^"']*)["']/.exec(line));
  return Object.fromEntries(found.filter(Boolean).map(([, key, value]) => [key, value]));
}

/** Finds the line for a new key: below a comment that shows it as an example, else below the last key. */
function placeFor(key, lines, section) {
  const example = lines.findIndex(
    (line, index) => index >= section.from && index < section.to && new RegExp(`^#\\s*${key}\\s*=`).test(line),
  );
  if (example >= 0) return example + 1;
  return (entriesIn(lines, section).at(-1)?.to ?? section.from - 1) + 1;
}
