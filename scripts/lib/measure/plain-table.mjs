import { createElement } from "react";
import { renderToString } from "react-dom/server.browser";

const ROWS = 50;
const h = createElement;

/**
 * Renders a table of fifty rows of two dozen elements each with React alone, without a component, a hook, a query or a
 * framework around it: the least that a list page can cost with the library it is made of.
 */
export const plainTable = () => renderToString(h("table", null, h("tbody", null, Array.from({ length: ROWS }, row))));

function row(_, index) {
  const path = `/admin/submissions/sub_${index}`;
  const name = `Henrik Solberg ${index}`;
  const email = `henrik${index}@solberg.example`;
  const cell = (...children) => h("td", null, ...children);
  const option = (value) => h("option", { value }, value);
  return h(
    "tr",
    { key: index, id: `sub_${index}` },
    cell(h("input", { type: "checkbox", name: "row", value: path, "aria-label": `Select ${name}` })),
    h("th", { scope: "row" }, h("a", { href: path }, name), h("small", null, `L-${index}`)),
    cell(h("a", { href: `mailto:${email}` }, email), h("small", null, "I need backups that I do not have to watch.")),
    cell("555-0100"),
    cell("Solberg & Sons"),
    cell(
      h("select", { name: "status", defaultValue: "new" }, option("new"), option("contacted"), option("resolved")),
      h("button", { type: "submit", name: "save", value: path }, "Save"),
    ),
    cell(h("time", { dateTime: "2026-11-21T05:25:31.820Z" }, "Nov 20, 23:25"), h("small", null, "due Mon 18:00")),
    cell(h("span", null, "No owner"), h("a", { href: path }, "View")),
  );
}
