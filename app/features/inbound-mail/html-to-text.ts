import { Parser } from "htmlparser2";

type HtmlText = {
  text: string;
  /** Where the quoted rest begins that a mail program marked without wrapping it. */
  quoteAt: number | null;
  /** Elements were nested so deeply that the text behind them was not read. */
  isCut: boolean;
};

type Attributes = Record<string, string>;

const UNSEEN = new Set(["head", "script", "style", "template", "title", "svg", "math", "object", "iframe"]);

const BLOCKS = new Set(
  "address article aside body center dd div dl dt fieldset figure footer form header hr html li main nav ol section table tbody tfoot thead tr ul"
    .split(" ")
    .concat("blockquote", "p", "pre"),
);

/** Lists blocks with an empty line around them. */
const PARAGRAPHS = new Set("blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul".split(" "));

/** The parser looks for each closing tag among all open ones, which is quadratic in the depth. */
const DEEPEST = 300;

const LONGEST_LINK = 500;

const FORWARDED_START = /^\s*(-{2,} ?.*|.*(forwarded|weitergeleitet|transféré).*: ?)$/i;

/** Quoted parts get the ">" that plain text has, so that one set of rules finds what a person wrote. */
export function htmlToText(html: string): HtmlText {
  const writer = new TextWriter();
  const open: { name: string; isUnseen: boolean; isQuote: boolean; href: string | null; from: Place }[] = [];
  const lists: (number | null)[] = [];
  let unseen = 0;
  let isCut = false;

  const parser: Parser = new Parser({
    onopentag(name, attributes) {
      if (open.length >= DEEPEST) {
        isCut = true;
        parser.pause();
      }
      const isUnseen = UNSEEN.has(name) || isHidden(attributes);
      if (isUnseen) unseen++;
      const isQuote = isQuoteContainer(name, attributes);
      const href = name === "a" && /^https?:/i.test(attributes.href ?? "") ? (attributes.href ?? null) : null;
      if (unseen === 0) {
        if (/^(divRplyFwdMsg|x_divRplyFwdMsg|appendonsend)$/.test(attributes.id ?? "")) writer.startRest();
        openBlock(writer, name, lists);
        if (isQuote) writer.startQuote();
      }
      open.push({ name, isUnseen, isQuote, href, from: writer.place() });
    },
    ontext(text) {
      if (unseen === 0) writer.write(text);
    },
    onclosetag() {
      const element = open.pop();
      if (!element) return;
      const { name, isUnseen, isQuote, href, from } = element;
      if (unseen === 0) {
        if (href && href.length <= LONGEST_LINK) writer.addLink(href, from);
        if (isQuote) writer.endQuote();
        closeBlock(writer, name, lists);
      }
      if (isUnseen) unseen--;
    },
  });
  parser.write(html);
  parser.end();
  return { ...writer.finish(), isCut };
}

function openBlock(writer: TextWriter, name: string, lists: (number | null)[]): void {
  if (name === "br") writer.breakLine();
  else if (PARAGRAPHS.has(name)) writer.startParagraph();
  else if (BLOCKS.has(name)) writer.startLine();
  else if (name === "td" || name === "th") writer.separate();
  if (name === "pre") writer.startPre();
  if (name === "ul") lists.push(null);
  if (name === "ol") lists.push(0);
  if (name === "li") {
    const count = lists.at(-1);
    if (count == null) writer.write("- ");
    else {
      lists[lists.length - 1] = count + 1;
      writer.write(`${count + 1}. `);
    }
  }
}

function closeBlock(writer: TextWriter, name: string, lists: (number | null)[]): void {
  if (name === "pre") writer.endPre();
  if (name === "ul" || name === "ol") lists.pop();
  if (PARAGRAPHS.has(name)) writer.startParagraph();
  else if (BLOCKS.has(name)) writer.startLine();
}

const isHidden = ({ style = "", hidden }: Attributes): boolean =>
  hidden !== undefined || /display\s*:\s*none|mso-hide\s*:\s*all/i.test(style.slice(0, 1000));

/** In Gmail's and Proton's `div` people answer between the quotes, so only what is inside them counts as quoted. */
function isQuoteContainer(name: string, attributes: Attributes): boolean {
  const classes = ` ${attributes.class ?? ""} `;
  if (name === "blockquote")
    return attributes.type === "cite" || /[ _](gmail|protonmail|tutanota)_quote /.test(classes);
  return /[ _]yahoo_quoted |[ _](gmail_attr|moz-cite-prefix) /.test(classes);
}

type Line = { text: string; quotes: number };

type Place = { line: number; part: number };

class TextWriter {
  #lines: Line[] = [];
  #parts: string[] = [];
  #quotes = 0;
  #pre = 0;
  #isSpaceDue = false;
  #isBlankDue = false;
  #restAt: number | null = null;

  write(text: string): void {
    if (this.#pre > 0) {
      text.split(/\r\n|\n/).forEach((line, index) => {
        if (index > 0) this.breakLine();
        this.#add(line);
      });
      return;
    }
    const words = text.replace(/[ \t\r\n\f]+/g, " ");
    if (words === "") return;
    if (words.startsWith(" ")) this.#isSpaceDue = true;
    const trimmed = words.trim() === "" ? "" : words.replace(/^ | $/g, "");
    if (trimmed === "") return;
    this.#add(trimmed);
    this.#isSpaceDue = words.endsWith(" ");
  }

  separate(): void {
    this.#isSpaceDue = true;
  }

  startLine(): void {
    if (this.#parts.length > 0) this.breakLine();
  }

  startParagraph(): void {
    this.startLine();
    this.#isBlankDue = true;
  }

  breakLine(): void {
    this.#lines.push({ text: this.#parts.join("").trimEnd(), quotes: this.#quotes });
    this.#parts = [];
    this.#isSpaceDue = false;
  }

  startPre(): void {
    this.#pre++;
  }

  endPre(): void {
    this.#pre--;
  }

  startQuote(): void {
    this.startLine();
    this.#quotes++;
  }

  endQuote(): void {
    this.startLine();
    this.#quotes--;
  }

  startRest(): void {
    this.startLine();
    this.#restAt ??= this.#lines.length;
  }

  place(): Place {
    return { line: this.#lines.length, part: this.#parts.length };
  }

  /** Adds where a link leads, unless its text says it already or is no text of this line. */
  addLink(href: string, from: Place): void {
    if (from.line !== this.#lines.length) return;
    const shown = this.#parts.slice(from.part).join("").trim();
    if (shown !== "" && !shown.includes(href.replace(/^https?:\/\/|\/$/gi, ""))) this.#add(` <${href}>`);
  }

  finish(): Omit<HtmlText, "isCut"> {
    this.startLine();
    showForwarded(this.#lines);
    const restAt = this.#restAt;
    const shown = this.#lines.map(
      ({ text, quotes }) => `${">".repeat(Math.min(quotes, 9))}${quotes && text ? " " : ""}${text}`,
    );
    const before = tidy(shown.slice(0, restAt ?? shown.length));
    if (restAt === null) return { text: before, quoteAt: null };
    const rest = tidy(shown.slice(restAt));
    if (rest === "") return { text: before, quoteAt: null };
    return before === "" ? { text: rest, quoteAt: 0 } : { text: `${before}\n\n${rest}`, quoteAt: before.length };
  }

  #add(text: string): void {
    if (this.#isBlankDue && this.#parts.length === 0) {
      this.#isBlankDue = false;
      if (this.#lines.length > 0) this.#lines.push({ text: "", quotes: this.#quotes });
    }
    const isFirst = this.#parts.length === 0;
    this.#parts.push(this.#isSpaceDue && !isFirst ? ` ${text}` : text);
    this.#isSpaceDue = false;
  }
}

/** A forwarded mail is what the sender wants to be read, though some programs mark it like a quote. */
function showForwarded(lines: Line[]): void {
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.quotes === 0) continue;
    let end = at;
    while ((lines[end]?.quotes ?? 0) > 0) end++;
    const run = lines.slice(at, end);
    const first = run.find(({ text }) => text.trim() !== "");
    if (first && first.text.length < 120 && FORWARDED_START.test(first.text)) for (const line of run) line.quotes--;
    at = end;
  }
}

const tidy = (lines: readonly string[]): string =>
  lines
    .join("\n")
    .replace(/\u00a0/g, " ")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
