/**
 * Holds a parsed style sheet, of which a page gets only what it uses. These parts can be left out: rules for classes, as
 * all utilities are, and for data attributes; custom properties of the root; fonts, keyframes and registered properties.
 */
export type ParsedSheet = { nodes: readonly Node[]; marks: ReadonlySet<string> };

type Node =
  | { kind: "text"; css: string }
  /** Needed when the page has one of these classes or data attributes. */
  | { kind: "rule"; marks: readonly string[]; css: string }
  /** Custom properties of the root; each is needed when something that is needed uses it. */
  | { kind: "properties"; selector: string; properties: readonly { name: string; css: string }[] }
  /** What other rules refer to by its name. */
  | { kind: "definition"; name: string; css: string }
  | { kind: "group"; head: string; nodes: readonly Node[] };

const GROUP = /^@(?:media|supports|layer|container)\b/;
const ROOT = /^:root(?:,:host)?$/;
const NOT = /:not\([^()]*\)/g;
const CLASS = /\.((?:\\.|[\w-])+)/g;
const ATTRIBUTE = /\[(data-[\w-]+)/g;
const ATTRIBUTE_NAME = /^data-[\w-]+$/;
const DEFINITION = /^@(?:keyframes|property) ([\w-]+)$/;
const FAMILY = /font-family:"?([^;"]+)/;
const USED_PROPERTY = /var\((--[\w-]+)/g;
const CLASS_ATTRIBUTE = /\sclass="([^"]+)"/g;

/** Parses a minified style sheet of the build. */
export function parseSheet(css: string): ParsedSheet {
  const nodes = parseNodes(css);
  return { nodes, marks: new Set(nodes.flatMap(marksOf)) };
}

function marksOf(node: Node): readonly string[] {
  if (node.kind === "group") return node.nodes.flatMap(marksOf);
  return node.kind === "rule" ? node.marks : [];
}

/** Returns the classes and data attributes of the sheet that occur in the HTML of a page. */
export function usedMarks({ marks }: ParsedSheet, html: string): Set<string> {
  const used = new Set<string>();
  const values = new Set([...html.matchAll(CLASS_ATTRIBUTE)].map(([, value = ""]) => value));
  for (const value of values) {
    for (const name of unescapeHtml(value).split(" ")) if (marks.has(name)) used.add(name);
  }
  for (const mark of marks) if (ATTRIBUTE_NAME.test(mark) && html.includes(` ${mark}=`)) used.add(mark);
  return used;
}

/** Returns the part of the sheet that a page with these classes and data attributes needs. */
export function trimSheet({ nodes }: ParsedSheet, used: ReadonlySet<string>): string {
  // First what nothing else refers to, then what that refers to, and so on.
  let named = "";
  for (;;) {
    const properties = new Set([...named.matchAll(USED_PROPERTY)].map(([, name = ""]) => name));
    const css = write(nodes, { used, properties, named });
    if (css.length === named.length) return css;
    named = css;
  }
}

type Need = { used: ReadonlySet<string>; properties: ReadonlySet<string>; named: string };

const write = (nodes: readonly Node[], need: Need): string => nodes.map((node) => writeNode(node, need)).join("");

function writeNode(node: Node, need: Need): string {
  if (node.kind === "text") return node.css;
  if (node.kind === "rule") return node.marks.some((name) => need.used.has(name)) ? node.css : "";
  if (node.kind === "definition") return need.named.replace(node.css, "").includes(node.name) ? node.css : "";
  if (node.kind === "group") {
    const inside = write(node.nodes, need);
    return inside && `${node.head}{${inside}}`;
  }
  const needed = node.properties.filter(({ name }) => need.properties.has(name)).map(({ css }) => css);
  return needed.length === 0 ? "" : `${node.selector}{${needed.join(";")}}`;
}

const parseNodes = (css: string): Node[] => splitAt(css).map(parseNode);

function parseNode(css: string): Node {
  const open = css.indexOf("{");
  const head = css.slice(0, Math.max(open, 0));
  const inside = css.slice(open + 1, -1);
  if (GROUP.test(head)) return { kind: "group", head, nodes: parseNodes(inside) };
  if (ROOT.test(head)) return parseProperties(head, inside) ?? { kind: "text", css };
  const name = head === "@font-face" ? FAMILY.exec(inside)?.[1] : DEFINITION.exec(head)?.[1];
  if (name) return { kind: "definition", name, css };
  const marks = head.startsWith("@") ? [] : marksIn(head.replace(NOT, ""));
  return marks.length === 0 ? { kind: "text", css } : { kind: "rule", marks, css };
}

/** Returns the classes of a selector or, if it has none, its data attributes. */
function marksIn(selector: string): string[] {
  const classes = [...selector.matchAll(CLASS)].map(([, name = ""]) => name.replace(/\\(.)/g, "$1"));
  return classes.length > 0 ? classes : [...selector.matchAll(ATTRIBUTE)].map(([, name = ""]) => name);
}

/** Returns null for a rule with anything other than custom properties. */
function parseProperties(selector: string, inside: string): Node | null {
  const properties = splitAt(inside).map((declaration) => {
    const css = declaration.replace(/;$/, "");
    return { name: css.slice(0, css.indexOf(":")), css };
  });
  return properties.every(({ name }) => name.startsWith("--")) ? { kind: "properties", selector, properties } : null;
}

/** Splits CSS after each rule and each declaration of the outermost level. */
function splitAt(css: string): string[] {
  const parts: string[] = [];
  let [depth, start, quote] = [0, 0, ""];
  for (let at = 0; at < css.length; at += 1) {
    const sign = css.charAt(at);
    if (sign === "\\") at += 1;
    else if (quote) quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === "{" || sign === "(") depth += 1;
    else if (sign === "}" || sign === ")") depth -= 1;
    if (depth > 0 || quote || (sign !== "}" && sign !== ";")) continue;
    parts.push(css.slice(start, at + 1));
    start = at + 1;
  }
  if (start < css.length) parts.push(css.slice(start));
  return parts;
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&gt;": ">", "&lt;": "<", "&quot;": '"', "&#x27;": "'" };

const unescapeHtml = (text: string) =>
  text.replace(/&(?:amp|gt|lt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
