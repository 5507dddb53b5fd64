/*
 * What D1 takes of a migration. `wrangler d1 migrations apply --remote`
 * sends a whole file to a server that splits it itself, by fewer signs than SQLite has. What it cuts in the wrong place
 * ends in "incomplete input: SQLITE_ERROR [7500]". Known from cloudflare/workers-sdk: #4326 and #4727 (the END of a
 * CASE without parentheses ends the trigger), #10998 and #15314 (BEGIN in small letters), #14991 (carriage returns),
 * #3892 and #4713 (semicolons and quotes in comments), #3012 and #5564 (no statement and semicolon at the end).
 */

/** Limits the bytes of a statement. */
const STATEMENT_LIMIT = 100_000;

const TOKEN =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:[^']|'')*'|"[^"]*"|`[^`]*`)|(?<space>\s+)|(?<word>[A-Za-z_]\w*)|(?<sign>[\s\S])/g;

/** Returns what D1 would refuse or misread in a migration, a sentence each with its line. */
export function migrationProblems(sql) {
  const found = [...problemsOfWords(sql), ...problemsOfStatements(sql)];
  if (sql.includes("\r")) found.unshift({ at: sql.indexOf("\r"), problem: "a carriage return" });
  return found.map(({ at, problem }) => `line ${sql.slice(0, at).split("\n").length}: ${problem}`);
}

function* problemsOfWords(sql) {
  const tokens = [...sql.matchAll(TOKEN)].map(({ 0: text, groups, index }) => ({ text, groups, at: index }));
  for (const { text, groups, at } of tokens) {
    if (groups.comment && /['"`;]/.test(text)) yield { at, problem: "a quote or a semicolon in a comment" };
    if (/^(begin|end)$/i.test(text) && text !== text.toUpperCase()) yield { at, problem: `${text} in small letters` };
  }
  const code = tokens.filter(({ groups }) => !groups.comment && !groups.space);
  const open = [];
  for (const [place, { text, at }] of code.entries()) {
    if (/^case$/i.test(text)) open.push({ at, isEnclosed: code[place - 1]?.text === "(" });
    if (!/^end$/i.test(text) || open.length === 0) continue;
    const { at: start, isEnclosed } = open.pop();
    if (!isEnclosed || code[place + 1]?.text !== ")") {
      yield { at: start, problem: "CASE … END without parentheses of its own" };
    }
  }
  for (const { at } of open) yield { at, problem: "CASE without an END" };
  const last = code.at(-1);
  if (last?.text !== ";") yield { at: sql.length, problem: "the last statement has no semicolon" };
  else if (tokens.some(({ groups, at }) => groups.comment && at > last.at)) {
    yield { at: sql.length, problem: "a comment behind the last statement" };
  }
}

function* problemsOfStatements(sql) {
  const statements = splitExactly(sql);
  for (const statement of statements) {
    const bytes = new TextEncoder().encode(statement).length;
    if (bytes > STATEMENT_LIMIT) yield { at: sql.indexOf(statement), problem: `a statement of ${bytes} bytes` };
  }
  for (const [way, split] of Object.entries({ "by a simple tool": splitNaively, "by the server": splitLikeServer })) {
    const others = split(sql);
    const place = statements.findIndex((statement, index) => statement !== others[index]);
    if (place >= 0) yield { at: sql.indexOf(statements[place]), problem: `split ${way}, this statement is another` };
  }
}

/** Splits as SQLite does: a trigger ends with an END that follows a semicolon. */
export function splitExactly(sql) {
  const ends = [];
  let words = [];
  for (const { 0: text, groups, index } of sql.matchAll(TOKEN)) {
    if (groups.comment || groups.space) continue;
    words.push(text.toUpperCase());
    if (text !== ";") continue;
    const isTrigger = /^CREATE (TEMP |TEMPORARY )?TRIGGER /.test(words.slice(0, 4).join(" "));
    if (isTrigger && words.slice(-3, -1).join(" ") !== "; END") continue;
    ends.push(index);
    words = [];
  }
  return statementsBefore(sql, ends);
}

/** Splits as a simple tool would: triggers at the first `END;`, everything else at semicolons outside of strings. */
export function splitNaively(sql) {
  const ends = [];
  for (let start = 0; start < sql.length; start = ends.at(-1) + 1) {
    const rest = sql.slice(start);
    const end = /^(\s|--[^\n]*\n)*CREATE TRIGGER/.test(rest)
      ? rest.search(/END;/) + "END".length
      : ([...rest.matchAll(/'[^']*'?|;/g)].find(([text]) => text === ";")?.index ?? -1);
    if (end < "END".length) break;
    ends.push(start + end);
  }
  return statementsBefore(sql, ends);
}

/**
 * Splits as D1's server is known to: it knows strings and parentheses, but no comments; only a BEGIN in capitals opens
 * the body of a trigger, and the first END outside of parentheses closes it.
 */
export function splitLikeServer(sql) {
  const ends = [];
  let depth = 0;
  let inBody = false;
  for (const { 0: text, index } of sql.matchAll(/'[^']*'?|"[^"]*"?|`[^`]*`?|\w+|[();]/g)) {
    if (text === "(") depth += 1;
    else if (text === ")") depth -= 1;
    else if (text === "BEGIN") inBody = true;
    else if (text.toUpperCase() === "END" && depth === 0) inBody = false;
    else if (text === ";" && !inBody) ends.push(index);
  }
  return statementsBefore(sql, ends);
}

/** Returns the statements that end at these semicolons, and what is left behind the last. */
function statementsBefore(sql, ends) {
  const starts = [0, ...ends.map((end) => end + 1)];
  return starts.map((start, place) => sql.slice(start, ends[place]).trim()).filter((statement) => statement !== "");
}
