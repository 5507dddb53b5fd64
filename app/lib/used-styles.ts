/*
 * Leaves out of a style sheet what a page has no use for. Sheets of utilities are made for that: a rule is about
 * elements of one class.
 */

type Rule = { css: string; classes: readonly string[] };
type Group = { head: string; parts: readonly StylePart[] };
export type StylePart = Rule | Group;

/** At-rules that hold rules. All others, such as `@font-face` and `@keyframes`, are taken as a whole. */
const GROUP = /^@(?:layer|media|supports|container)\b/;

const TOKEN = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{};]|[^\\"'{};]+/gs;

/** Splits a style sheet, as the build writes it, into rules and groups of rules. */
export function stylePartsOf(css: string): StylePart[] {
  const parts: StylePart[] = [];
  let depth = 0;
  let start = 0;
  let open = 0;
  for (const { 0: token, index } of css.matchAll(TOKEN)) {
    const end = index + 1;
    if (token === "{") {
      if (depth === 0) open = index;
      depth += 1;
    } else if (token === "}") {
      depth -= 1;
      if (depth === 0) {
        parts.push(partOf(css.slice(start, open), css.slice(open + 1, index)));
        start = end;
      }
    } else if (token === ";" && depth === 0) {
      parts.push({ css: css.slice(start, end), classes: [] });
      start = end;
    }
  }
  return parts;
}

const partOf = (head: string, body: string): StylePart =>
  GROUP.test(head)
    ? { head, parts: stylePartsOf(body) }
    : { css: `${head}{${body}}`, classes: head.startsWith("@") ? [] : classesOf(head) };

/** The classes of which an element must have one for a rule to be about it, or about something in or beside it. */
const classesOf = (selectors: string): string[] =>
  [...selectors.replace(/:not\([^()]*\)/g, "").matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = ""]) =>
    name.replace(/\\(.)/g, "$1"),
  );

/** Returns the style sheet without the rules about classes that are not among the given ones. */
export function usedStyles(parts: readonly StylePart[], used: ReadonlySet<string>): string {
  let css = "";
  for (const part of parts) {
    if ("css" in part) {
      if (part.classes.length === 0 || part.classes.some((name) => used.has(name))) css += part.css;
      continue;
    }
    const inside = usedStyles(part.parts, used);
    if (inside !== "") css += `${part.head}{${inside}}`;
  }
  return css;
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&gt;": ">", "&lt;": "<", "&quot;": '"', "&#x27;": "'" };

/** Returns the classes that elements of a page have. */
export function classesIn(html: string): Set<string> {
  const values = new Set([...html.matchAll(/ class="([^"]*)"/g)].map(([, value = ""]) => value));
  const words = [...values].flatMap((value) =>
    value.replace(/&(?:amp|gt|lt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity).split(" "),
  );
  return new Set(words);
}
