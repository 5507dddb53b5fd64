/**
 * A style sheet, taken apart so that a page can carry of it what the page uses. Three kinds of things may be left out:
 * rules about classes, as all utilities are, custom properties of the root, and fonts.
 */
export type ParsedSheet = { nodes: readonly Node[]; classes: ReadonlySet<string> };

type Node =
  | { kind: "text"; css: string }
  /** Needed when one of the classes is used. */
  | { kind: "rule"; classes: readonly string[]; css: string }
  /** Custom properties of the root; each is needed when something that is needed uses it. */
  | { kind: "properties"; selector: string; properties: readonly { name: string; css: string }[] }
  /** Needed when its family is named. */
  | { kind: "font"; family: string; css: string }
  | { kind: "group"; head: string; nodes: readonly Node[] };

const GROUP = /^@(?:media|supports|layer|container)\b/;
const ROOT = /^:root(?:,:host)?$/;
const NOT = /:not\([^()]*\)/g;
const CLASS = /\.((?:\\.|[\w-])+)/g;
const FAMILY = /font-family:([^;]+)/;
const USED_PROPERTY = /var\((--[\w-]+)/g;
const CLASS_ATTRIBUTE = /\sclass="([^"]+)"/g;

/** Takes a style sheet apart, as the build writes it. */
export function parseSheet(css: string): ParsedSheet {
  const nodes = parseNodes(css);
  return { nodes, classes: new Set(nodes.flatMap(classesOf)) };
}

function classesOf(node: Node): readonly string[] {
  if (node.kind === "group") return node.nodes.flatMap(classesOf);
  return node.kind === "rule" ? node.classes : [];
}

/** Returns which classes of the sheet a page uses. */
export function usedClasses({ classes }: ParsedSheet, html: string): Set<string> {
  const values = new Set([...html.matchAll(CLASS_ATTRIBUTE)].map(([, value = ""]) => value));
  return new Set(
    [...values].flatMap((value) =>
      unescapeHtml(value)
        .split(" ")
        .filter((name) => classes.has(name)),
    ),
  );
}

/** Writes the sheet with these classes and without the others. */
export function trimSheet({ nodes }: ParsedSheet, used: ReadonlySet<string>): string {
  // Nothing is defined yet that something else would need; then what is needed, until no more is.
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
  if (node.kind === "rule") return node.classes.some((name) => need.used.has(name)) ? node.css : "";
  if (node.kind === "font") return need.named.replace(node.css, "").includes(node.family) ? node.css : "";
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
  if (head === "@font-face") return { kind: "font", family: FAMILY.exec(inside)?.[1]?.replaceAll('"', "") ?? "", css };
  const classes = head.startsWith("@") ? [] : [...head.replace(NOT, "").matchAll(CLASS)].map(([, name = ""]) => name);
  if (classes.length === 0) return { kind: "text", css };
  return { kind: "rule", classes: classes.map((name) => name.replace(/\\(.)/g, "$1")), css };
}

/** Returns nothing for a rule that says more than custom properties. */
function parseProperties(selector: string, inside: string): Node | null {
  const properties = splitAt(inside).map((declaration) => {
    const css = declaration.replace(/;$/, "");
    return { name: css.slice(0, css.indexOf(":")), css };
  });
  return properties.every(({ name }) => name.startsWith("--")) ? { kind: "properties", selector, properties } : null;
}

/** Splits CSS behind each rule and each declaration of the outermost level. */
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
