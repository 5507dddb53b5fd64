/*
 * Reads pages without a browser: what they say, and the forms on them.
 */

/** Holds a form that a page sends by one of its buttons. */
type PageForm = { action: string; fields: [name: string, value: string][] };

const plain = (text: string) =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&#x27;|&#39;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");

const attribute = (tag: string, name: string) => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : plain(found);
};

const INLINE = /<\/?(?:a|abbr|b|code|em|i|span|strong|time)\b[^>]*>|<!--[\s\S]*?-->/g;

/** Lists what a page says, a piece of text each. */
export const textsOf = (html: string): string[] =>
  plain(
    html
      .replace(/<(head|script|style|svg|template)\b[\s\S]*?<\/\1>/g, "")
      .replace(INLINE, "")
      .replace(/<[^>]+>/g, "\n"),
  )
    .split("\n")
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter(Boolean);

/** Lists the forms of a page that are posted, once for each button that says which one it is. `path`: its address. */
export function formsOf(html: string, path: string): PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, head = "", inside = ""]) => {
    if (attribute(head, "method") !== "post") return [];
    const id = attribute(head, "id");
    const outside = id === undefined ? [] : controlsOf(html.replaceAll(inside, ""), id);
    const controls = [...controlsOf(inside, undefined), ...outside];
    const action = (attribute(head, "action") ?? path).replace(/#.*/, "");
    const fields = controls.flatMap(({ isButton, name, value }): [string, string][] =>
      isButton ? [] : [[name, value]],
    );
    const buttons = controls.filter(({ isButton }) => isButton);
    if (buttons.length === 0) return [{ action, fields }];
    return buttons.map(({ name, value }) => ({ action, fields: [...fields, [name, value] as [string, string]] }));
  });
}

/** Lists the named controls of a part of a page that belong to the form around them, or to the form with an id. */
const controlsOf = (html: string, form: string | undefined) =>
  [...html.matchAll(/<(button|input|select|textarea)\b([^>]*)>/g)].flatMap(([, kind, tag = ""]) => {
    const name = attribute(tag, "name");
    const isChoice = /type="(?:checkbox|radio|file)"/.test(tag);
    if (!name || isChoice || attribute(tag, "form") !== form) return [];
    return [{ isButton: kind === "button", name, value: attribute(tag, "value") ?? "" }];
  });
