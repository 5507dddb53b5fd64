/**
 * Holds a parsed style sheet, so that each page gets only the rules it uses. These may be left out: rules for classes
 * (all utilities are such rules) and data attributes, custom properties of the root, fonts, keyframes and registered
 * properties. `names` are the class and attribute names in selectors.
 */
export type ParsedSheet = { nodes: readonly SheetNode[]; names: ReadonlySet<string> };

type SheetNode =
  | { kind: "text"; css: string }
  /** Holds a rule, which is needed if the page has one of these classes or data attributes. */
  | { kind: "rule"; names: readonly string[]; css: string }
  /** Holds the custom properties of the root. A property is needed if a needed rule uses it. */
  | { kind: "properties"; selector: string; properties: readonly { name: string; css: string }[] }
  /** Holds a font, keyframes or a registered property, which is needed if a needed rule contains its name. */
  | { kind: "definition"; name: string; css: string }
  | { kind: "group"; head: string; nodes: readonly SheetNode[] };

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
  return { nodes, names: new Set(nodes.flatMap(namesOf)) };
}

function namesOf(node: SheetNode): readonly string[] {
  if (node.kind === "group") return node.nodes.flatMap(namesOf);
  return node.kind === "rule" ? node.names : [];
}

/** Returns the names of the style sheet's classes and attributes that a page has. */
export function usedNames({ names }: ParsedSheet, html: string): Set<string> {
  const used = new Set<string>();
  const values = new Set([...html.matchAll(CLASS_ATTRIBUTE)].map(([, value = ""]) => value));
  for (const value of values) {
    for (const name of unescapeHtml(value).split(" ")) if (names.has(name)) used.add(name);
  }
  for (const name of names) if (ATTRIBUTE_NAME.test(name) && html.includes(` ${name}=`)) used.add(name);
  return used;
}

/** Writes the style sheet without the rules that a page with these classes and attributes does not need. */
export function trimSheet({ nodes }: ParsedSheet, used: ReadonlySet<string>): string {
  // Properties and definitions may use others, so this is repeated until no more are needed.
  let previous = "";
  for (;;) {
    const properties = new Set([...previous.matchAll(USED_PROPERTY)].map(([, name = ""]) => name));
    const css = write(nodes, { used, properties, previous });
    if (css.length === previous.length) return css;
    previous = css;
  }
}

/** Describes what a page needs. `previous` is the CSS of the previous round. */
type Need = { used: ReadonlySet<string>; properties: ReadonlySet<string>; previous: string };

const write = (nodes: readonly SheetNode[], need: Need): string => nodes.map((node) => writeNode(node, need)).join("");

function writeNode(node: SheetNode, need: Need): string {
  if (node.kind === "text") return node.css;
  if (node.kind === "rule") return node.names.some((name) => need.used.has(name)) ? node.css : "";
  if (node.kind === "definition") return need.previous.replace(node.css, "").includes(node.name) ? node.css : "";
  if (node.kind === "group") {
    const inside = write(node.nodes, need);
    return inside && `${node.head}{${inside}}`;
  }
  const needed = node.properties.filter(({ name }) => need.properties.has(name)).map(({ css }) => css);
  return needed.length === 0 ? "" : `${node.selector}{${needed.join(";")}}`;
}

const parseNodes = (css: string): SheetNode[] => splitTopLevel(css).map(parseNode);

function parseNode(css: string): SheetNode {
  const open = css.indexOf("{");
  const head = css.slice(0, Math.max(open, 0));
  const inside = css.slice(open + 1, -1);
  if (GROUP.test(head)) return { kind: "group", head, nodes: parseNodes(inside) };
  if (ROOT.test(head)) return parseProperties(head, inside) ?? { kind: "text", css };
  const name = head === "@font-face" ? FAMILY.exec(inside)?.[1] : DEFINITION.exec(head)?.[1];
  if (name) return { kind: "definition", name, css };
  const names = head.startsWith("@") ? [] : namesIn(head.replace(NOT, ""));
  return names.length === 0 ? { kind: "text", css } : { kind: "rule", names, css };
}

/** Returns the classes of a selector or, if it has none, its data attributes. */
function namesIn(selector: string): string[] {
  const classes = [...selector.matchAll(CLASS)].map(([, name = ""]) => name.replace(/\\(.)/g, "$1"));
  return classes.length > 0 ? classes : [...selector.matchAll(ATTRIBUTE)].map(([, name = ""]) => name);
}

/** Parses a rule of custom properties. Null: it has other declarations too. */
function parseProperties(selector: string, inside: string): SheetNode | null {
  const properties = splitTopLevel(inside).map((declaration) => {
    const css = declaration.replace(/;$/, "");
    return { name: css.slice(0, css.indexOf(":")), css };
  });
  return properties.every(({ name }) => name.startsWith("--")) ? { kind: "properties", selector, properties } : null;
}

/** Matches what decides where CSS is split: brackets and semicolons, but not those in escapes and strings. */
const TOKEN = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{}();]/gs;

/** Splits CSS after each rule and each declaration of the outermost level. */
function splitTopLevel(css: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of css.matchAll(TOKEN)) {
    if (token === "{" || token === "(") depth += 1;
    if (token === "}" || token === ")") depth -= 1;
    const isEnd = depth === 0 && (token === "}" || token === ";");
    if (!isEnd) continue;
    parts.push(css.slice(start, index + 1));
    start = index + 1;
  }
  if (start < css.length) parts.push(css.slice(start));
  return parts;
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&gt;": ">", "&lt;": "<", "&quot;": '"', "&#x27;": "'" };

const unescapeHtml = (text: string) =>
  text.replace(/&(?:amp|gt|lt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
