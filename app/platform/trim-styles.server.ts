/**
 * Holds a parsed style sheet, so that each page gets only the rules it uses. Only two kinds of rules are ever left out:
 * utilities, which are the rules in the layer `utilities`, and custom properties of the root.
 */
export type ParsedSheet = { nodes: readonly Node[]; classes: ReadonlySet<string> };

type Node =
  | { kind: "text"; css: string }
  /** Needed if the page uses one of the classes. */
  | { kind: "utility"; classes: readonly string[]; css: string }
  /** Custom properties of the root. A property is needed if another needed rule uses it. */
  | { kind: "properties"; selector: string; properties: readonly { name: string; css: string }[] }
  | { kind: "group"; head: string; nodes: readonly Node[] };

const CLASS = /\.((?:\\.|[\w-])+)/g;
const USED_PROPERTY = /var\((--[\w-]+)/g;
const CLASS_ATTRIBUTE = /\sclass="([^"]+)"/g;

/** Parses a minified style sheet. */
export function parseSheet(css: string): ParsedSheet {
  const nodes = parseNodes(css, false);
  const classes = new Set<string>();
  const collect = (node: Node) => {
    if (node.kind === "utility") for (const name of node.classes) classes.add(name);
    else if (node.kind === "group") node.nodes.forEach(collect);
  };
  nodes.forEach(collect);
  return { nodes, classes };
}

/** Returns the utility classes in the class attributes of a page. */
export function usedClasses({ classes }: ParsedSheet, html: string): Set<string> {
  const used = new Set<string>();
  for (const [, value = ""] of html.matchAll(CLASS_ATTRIBUTE)) {
    for (const name of unescapeHtml(value).split(" ")) if (classes.has(name)) used.add(name);
  }
  return used;
}

/** Writes the style sheet without the utilities and custom properties that the page does not use. */
export function trimSheet({ nodes }: ParsedSheet, used: ReadonlySet<string>): string {
  let properties = new Set<string>();
  let css = write(nodes, used, properties);
  // A property may use another one, so this is repeated until no more are needed.
  for (;;) {
    const needed = new Set([...css.matchAll(USED_PROPERTY)].map(([, name = ""]) => name));
    if (needed.size === properties.size) return css;
    properties = needed;
    css = write(nodes, used, properties);
  }
}

function write(nodes: readonly Node[], used: ReadonlySet<string>, properties: ReadonlySet<string>): string {
  return nodes.map((node) => writeNode(node, used, properties)).join("");
}

function writeNode(node: Node, used: ReadonlySet<string>, properties: ReadonlySet<string>): string {
  if (node.kind === "text") return node.css;
  if (node.kind === "utility") return node.classes.some((name) => used.has(name)) ? node.css : "";
  if (node.kind === "group") {
    const inside = write(node.nodes, used, properties);
    return inside && `${node.head}{${inside}}`;
  }
  const needed = node.properties.filter(({ name }) => properties.has(name)).map(({ css }) => css);
  return needed.length === 0 ? "" : `${node.selector}{${needed.join(";")}}`;
}

function parseNodes(css: string, isUtility: boolean): Node[] {
  return splitAt(css).map((part): Node => {
    const open = part.indexOf("{");
    const head = part.slice(0, open);
    const inside = part.slice(open + 1, -1);
    if (open < 0) return { kind: "text", css: part };
    if (/^@(?:media|supports|layer)\b/.test(head)) {
      return { kind: "group", head, nodes: parseNodes(inside, isUtility || head === "@layer utilities") };
    }
    if (/^:root(?:,:host)?$/.test(head)) return parseProperties(head, inside) ?? { kind: "text", css: part };
    const classes = isUtility ? [...head.matchAll(CLASS)].map(([, name = ""]) => name.replace(/\\(.)/g, "$1")) : [];
    return classes.length > 0 ? { kind: "utility", classes, css: part } : { kind: "text", css: part };
  });
}

/** Parses a rule of custom properties. Null: it has other declarations too. */
function parseProperties(selector: string, inside: string): Node | null {
  const properties = splitAt(`${inside};`).map((declaration) => {
    const css = declaration.replace(/;$/, "");
    return { name: css.slice(0, css.indexOf(":")), css };
  });
  return properties.every(({ name }) => name.startsWith("--")) ? { kind: "properties", selector, properties } : null;
}

/** Splits CSS after each rule and each declaration of the outermost level. */
function splitAt(css: string): string[] {
  const parts: string[] = [];
  let [depth, start, quote] = [0, 0, ""];
  for (let index = 0; index < css.length; index += 1) {
    const character = css.charAt(index);
    if (character === "\\") index += 1;
    else if (quote) quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "{" || character === "(") depth += 1;
    else if (character === "}" || character === ")") depth -= 1;
    if (depth > 0 || quote || (character !== "}" && character !== ";")) continue;
    parts.push(css.slice(start, index + 1));
    start = index + 1;
  }
  if (start < css.length) parts.push(css.slice(start));
  return parts;
}

const ENTITIES: Record<string, string> = { amp: "&", gt: ">", lt: "<", quot: '"', "#x27": "'" };

const unescapeHtml = (text: string) =>
  text.includes("&")
    ? text.replace(/&(amp|gt|lt|quot|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    : text;
