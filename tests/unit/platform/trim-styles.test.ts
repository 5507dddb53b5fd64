import { expect, test } from "vitest";
import { parseSheet, trimSheet, usedNames } from "~/platform/trim-styles.server";

/** Returns the style sheet of a page with this body. */
function trimmed(css: string, body: string): string {
  const sheet = parseSheet(css);
  return trimSheet(sheet, usedNames(sheet, `<body>${body}</body>`));
}

test("a page gets the utilities it uses, in the order of the style sheet, and no others", () => {
  const css = "@layer utilities{.flex{display:flex}.grid{display:grid}.p-2{padding:.5rem}}";
  expect(trimmed(css, '<p class="p-2 flex">')).toBe("@layer utilities{.flex{display:flex}.p-2{padding:.5rem}}");
});

test("rules for elements are always kept", () => {
  const css = '@layer base{a:hover{color:red}[hidden]{display:none}}@media print{body{background:url("a;}b")}}';
  expect(trimmed(css, "")).toBe(css);
});

test.each([
  ["a variant of a window's width", ".max-md\\:p-2{padding:.5rem}", "max-md:p-2"],
  ["an arbitrary value", ".w-\\[min\\(100\\%\\,15rem\\)\\]{width:min(100%,15rem)}", "w-[min(100%,15rem)]"],
  ["children", ":is(.\\*\\:mb-5>*){margin-bottom:1.25rem}", "*:mb-5"],
  ["an arbitrary selector", ".\\[\\&\\>a\\]\\:p-2>a{padding:.5rem}", "[&amp;&gt;a]:p-2"],
  ["quotes", ".before\\:content-\\[\\'x\\'\\]:before{content:x}", "before:content-[&#x27;x&#x27;]"],
  ["an exception", ".not-first\\:p-2:not(:first-child){padding:.5rem}", "not-first:p-2"],
])("a class is recognized with %s in its name", (_, css, name) => {
  expect(trimmed(css, `<p class="${name}">`)).toBe(css);
  expect(trimmed(css, `<p class="other">${name}</p>`)).toBe("");
});

test("a group without rules is left out", () => {
  const css = "@layer utilities{@media print{.a{color:red}}@media print{.b{color:red}}}";
  expect(trimmed(css, '<p class="b">')).toBe("@layer utilities{@media print{.b{color:red}}}");
});

test("a page gets a rule for an attribute if it has the attribute", () => {
  const css = "@media screen{[data-waits]{position:fixed}}:root[data-theme=dark]{color-scheme:dark}";
  expect(trimmed(css, '<header data-waits="">')).toBe("@media screen{[data-waits]{position:fixed}}");
  expect(trimmed(css, "data-waits")).toBe("");
});

test("a rule that excludes some elements is always kept", () => {
  const css = ":root:not([data-theme=light]){color-scheme:light dark}input:not(.plain){color:red}";
  expect(trimmed(css, "")).toBe(css);
});

test("a page gets the custom properties it uses, directly or through another property", () => {
  const css =
    ":root,:host{--ink:#000;--line:#ccc;--control:#777;--idle:#fff}" +
    "@media (prefers-contrast:more){:root{--line:var(--control);--idle:var(--ink)}}.a{border-color:var(--line)}";
  expect(trimmed(css, '<p class="a">')).toBe(
    ":root,:host{--line:#ccc;--control:#777}" +
      "@media (prefers-contrast:more){:root{--line:var(--control)}}.a{border-color:var(--line)}",
  );
});

test("a page gets the fonts, keyframes and registered properties that its rules name", () => {
  const css =
    "@font-face{font-family:Text Face;src:local(a)}@font-face{font-family:Text Face;src:local(b)}" +
    "@font-face{font-family:Code Face;src:local(c)}@keyframes in{from{opacity:0}}@keyframes out{to{opacity:0}}" +
    "@property --t{syntax:'<number>';inherits:false}@property --s{syntax:'<number>';inherits:false}" +
    "body{font-family:Text Face}.a{animation:in 1s;opacity:var(--t)}.b{animation:out 1s;opacity:var(--s)}";
  expect(trimmed(css, '<p class="a">')).toBe(
    "@font-face{font-family:Text Face;src:local(a)}@font-face{font-family:Text Face;src:local(b)}" +
      "@keyframes in{from{opacity:0}}@property --t{syntax:'<number>';inherits:false}" +
      "body{font-family:Text Face}.a{animation:in 1s;opacity:var(--t)}",
  );
});
