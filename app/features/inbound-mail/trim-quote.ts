import { REPLY_MARKER } from "~/features/mail/model";

type TrimmedText = {
  text: string;
  wasTrimmed: boolean;
  /** What showed where the quote begins, the topmost; "nothing_left": without the quote the mail would be empty. */
  by: TrimSign | "nothing_left" | null;
};

type TrimSign = "marker" | "quote" | "header" | "container" | "signature";

type QuotedText = {
  text: string;
  /** Where the mail's HTML says that the quoted rest begins. */
  quoteAt?: number | null;
  /** What somebody forwards is what they want to be read. */
  isForward?: boolean;
};

/** Behind this nobody answers. Each step below looks at a line a limited number of times. */
const SEARCHED = 64 * 1024;

export function trimQuote({ text, quoteAt = null, isForward = false }: QuotedText): TrimmedText {
  const whole = text.trim();
  const behind = text.slice(SEARCHED);
  const rest = findRest(text.slice(0, SEARCHED).split("\n"), quoteAt, isForward);
  const own = withoutQuotes(rest.above);
  const isEnd = rest.below.length === 0 && (rest.by !== null || behind.trim() === "");
  const answer = own.by === null ? own.lines : withoutQuotedLinks(own.lines);
  const unsigned = isEnd ? withoutSignature(answer) : answer;
  const by = own.by ?? rest.by ?? (unsigned.length < own.lines.length ? "signature" : null);
  if (by === null) return { text: whole, wasTrimmed: false, by: null };
  const kept = [...unsigned, ...rest.below].join("\n") + (rest.by === null ? behind : "");
  const shown = kept.replace(/\n{3,}/g, "\n\n").trim();
  if (shown === "") return { text: whole, wasTrimmed: false, by: "nothing_left" };
  return { text: shown, wasTrimmed: true, by };
}

type Rest = {
  above: string[];
  /** What somebody forwards with the mail. */
  below: string[];
  by: TrimSign | null;
};

/** Finds where all below is quoted, though no ">" says so, or forwarded. */
function findRest(lines: string[], quoteAt: number | null, isForward: boolean): Rest {
  for (let at = 0, offset = 0; at < lines.length; at++) {
    const isContainer = quoteAt !== null && offset >= quoteAt;
    offset += (lines[at] ?? "").length + 1;
    const sign = isContainer ? "container" : restSign(lines, at);
    if (sign === null) continue;
    if (sign === "forward" || (isForward && sign !== "marker")) {
      return { above: lines.slice(0, at), below: lines.slice(at), by: null };
    }
    const above = withoutAnnouncement(lines.slice(0, at));
    // Who writes below the quote leaves nothing above the marker.
    const isBelow = sign === "marker" && !above.some((line) => line.trim() !== "" && !isQuoted(line));
    if (!isBelow) return { above, below: [], by: sign };
  }
  return { above: lines, below: [], by: null };
}

/** Tells what begins at a line and goes on to the end; null: nothing. */
export function restSign(lines: readonly string[], at: number): TrimSign | "forward" | null {
  const line = lines[at] ?? "";
  if (line.length > LONGEST_QUOTE_LINE || line.trim() === "" || isQuoted(line)) return null;
  if (isForwardLine(line)) return "forward";
  if (isMarker(line)) return "marker";
  if (isHeaderBlock(lines, at) || ORIGINAL_MESSAGE.test(line.trim())) return "header";
  const end = attributionEnd(lines, at, isDated);
  const next = end === null ? undefined : lines.slice(end, end + 4).find((below) => below.trim() !== "");
  return next === undefined || isQuoted(next) ? null : "quote";
}

type Run = { isQuoted: boolean; lines: string[] };

/** Leaves out what has ">" before it, and the line that announces it. */
function withoutQuotes(lines: string[]): { lines: string[]; by: TrimSign | null } {
  const runs = runsOf(lines);
  if (!runs.some((run) => run.isQuoted)) return { lines, by: null };
  const by = runs.some((run) => run.isQuoted && run.lines.some(isMarker)) ? "marker" : "quote";
  for (const [index, run] of runs.entries()) {
    const next = runs[index + 1];
    if (next?.isQuoted) run.lines = withoutAnnouncement(run.lines);
  }
  const answers = runs.flatMap((run, index) => (index > 0 && !run.isQuoted && !isBlank(run.lines) ? [index] : []));
  const lastQuote = runs.findLastIndex((run) => run.isQuoted);
  const isInterleaved = answers.length > 1 || answers.some((index) => index > 1 && index < lastQuote);
  const kept = runs.flatMap((run, index) => {
    if (!run.isQuoted) return run.lines;
    return isInterleaved && answers.includes(index + 1) ? ["", ...answeredLines(run.lines), ""] : [""];
  });
  return { lines: kept, by };
}

function runsOf(lines: readonly string[]): Run[] {
  const runs: Run[] = [];
  let blanks: string[] = [];
  for (const line of lines) {
    if (line.trim() === "") {
      blanks.push(line);
      continue;
    }
    const last = runs.at(-1);
    if (last?.isQuoted === isQuoted(line)) last.lines.push(...blanks, line);
    else {
      if (!last?.isQuoted) last?.lines.push(...blanks);
      runs.push({ isQuoted: isQuoted(line), lines: last && !last.isQuoted ? [line] : [...blanks, line] });
    }
    blanks = [];
  }
  return runs;
}

const isBlank = (lines: readonly string[]): boolean => lines.every((line) => line.trim() === "");

const ANSWERED_LINES = 5;

/** Matches what lets the reader of a mail answer it: nobody else may see it. */
const REPLY_TOKEN = /\[t\d+\.\w+\]/i;

/** Who answers between the lines of a mail is not understood without them: the paragraph above an answer stays. */
function answeredLines(quoted: readonly string[]): string[] {
  const paragraph = quoted.slice(quoted.findLastIndex((line) => /^[>\s]*$/.test(line)) + 1).slice(-ANSWERED_LINES);
  return paragraph.filter((line) => !isMarker(line) && !REPLY_TOKEN.test(line));
}

const LINK = /^\[(\d+)\] \S+$/;

/** Roundcube lists the links of the whole mail below the quote. Those of the quote go with it. */
function withoutQuotedLinks(lines: string[]): string[] {
  const at = lines.findLastIndex((line, index) => /^Links:$/i.test(line) && /^-{3,}$/.test(lines[index + 1] ?? ""));
  const links = lines.slice(at + 2).filter((line) => line.trim() !== "");
  if (at < 0 || links.length === 0 || !links.every((line) => LINK.test(line))) return lines;
  const above = lines.slice(0, at);
  const own = links.filter((line) => above.some((each) => each.includes(`[${LINK.exec(line)?.[1]}]`)));
  return own.length === 0 ? above : [...above, ...lines.slice(at, at + 2), ...own];
}

const SIGNATURE_LINES = 15;

const MOBILE_SIGNATURE = new RegExp(
  [
    "sent (from|via|with|using) (my |outlook|yahoo|mail |gmail|proton|samsung|the |a )|get outlook for ",
    "von meinem .{1,60} gesendet|gesendet (von|mit|aus) (meinem |meiner |outlook|der |yahoo|mail|gmx|proton|samsung|web\\.de)",
    "outlook für .{1,40} beziehen|(holen|laden) sie .{0,10}outlook|diese nachricht wurde von mein",
    "envoyé (de|depuis|à partir de|avec|par) (mon |ma |outlook|yahoo|courrier|l['’]app|proton|la )|(télécharger|obtenez) outlook pour ",
  ].join("|"),
  "i",
);

function withoutSignature(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const first = Math.max(0, last - SIGNATURE_LINES);
  const ruler = lines.findIndex((line, index) => index >= first && /^-- ?$/.test(line));
  const end = ruler >= 0 ? ruler : last + 1;
  for (let at = end - 1, seen = 0; at >= 0 && seen < 3; at--) {
    const line = (lines[at] ?? "").trim();
    if (line === "") continue;
    seen++;
    if (line.length < 200 && line.search(MOBILE_SIGNATURE) === 0) return lines.slice(0, at);
  }
  return ruler >= 0 ? lines.slice(0, ruler) : lines;
}

const LONGEST_QUOTE_LINE = 400;

const isQuoted = (line: string): boolean => /^ {0,3}>/.test(line);

const MARKER_WORDS = REPLY_MARKER.replace(/[—\s]+/g, " ")
  .trim()
  .toLowerCase();

const isMarker = (line: string): boolean =>
  line.length <= LONGEST_QUOTE_LINE && line.toLowerCase().replace(/\s+/g, " ").includes(MARKER_WORDS);

const FORWARDED =
  /^[>\s*]*(-{2,} ?(forwarded (message|by)|weitergeleitete nachricht|message transféré|ursprüngliche nachricht weitergeleitet).{0,100}|begin forwarded message ?:|anfang der weitergeleiteten (nachricht|e-?mail) ?:|début du (message|courriel) (transféré|réexpédié) ?:)[\s*]*$/i;

export const isForwardLine = (line: string): boolean => line.length < 200 && FORWARDED.test(line);

const LINES_SEARCHED = 2_000;

/** Tells whether a text, of which quotes were taken away, is or holds what somebody forwards. */
export const isForwarded = (text: string): boolean => text.split("\n", LINES_SEARCHED).some(isForwardLine);

/** Tells whether something of a mail of ours stands in a text. */
export const isMarked = (text: string): boolean =>
  text.split("\n").some((line) => isMarker(line) || REPLY_TOKEN.test(line));

const ORIGINAL_MESSAGE =
  /^-{2,} ?(original message|original appointment|ursprüngliche nachricht|originalnachricht|original-nachricht|message d['’]origine|message original) ?-{2,}$/i;

/** Leaves out what a program writes between an answer and the quote: rulers, "Original Message", who wrote when. */
function withoutAnnouncement(lines: string[]): string[] {
  let end = lines.length;
  for (let before = -1; before !== end; ) {
    before = end;
    while (end > 0 && isRuler((lines[end - 1] ?? "").trim())) end--;
    end = attributionBefore(lines, end) ?? end;
  }
  return lines.slice(0, end);
}

const isRuler = (line: string): boolean =>
  line.length < 200 && (/^([_*-]{5,})?$/.test(line) || ORIGINAL_MESSAGE.test(line));

const HEADER_LABELS: readonly (readonly [kind: string, labels: RegExp])[] = [
  ["from", /^(from|von|de|expéditeur|da|van|från|fra)$/],
  [
    "date",
    /^(sent|date|gesendet|datum|envoyé|envoyé le|inviato|data|verzonden|skickat|sendt|enviado|fecha|enviado el)$/,
  ],
  ["to", /^(to|an|à|pour|a|aan|till|til|para|cc|kopie|copie à)$/],
  ["subject", /^(subject|betreff|objet|oggetto|onderwerp|ämne|emne|asunto|assunto)$/],
];

type HeaderLine = { kind: string; value: string };

/** Reads "*Von:* Anna" and "> From : Anna" alike. */
export function headerLine(line: string): HeaderLine | null {
  const plain = line.slice(0, LONGEST_QUOTE_LINE).replace(/^[>\s]+/, "");
  const colon = plain.search(/[:：]/);
  if (colon < 1 || colon > 24) return null;
  const label = plain.slice(0, colon).replace(/\*/g, "").trim().toLowerCase();
  const kind = HEADER_LABELS.find(([, labels]) => labels.test(label))?.[0];
  return kind ? { kind, value: plain.slice(colon + 1).replace(/^[\s*]+|[\s*]+$/g, "") } : null;
}

/** Outlook's block: a sender, and close below it at least two of date, recipient and subject. */
export function isHeaderBlock(lines: readonly string[], at: number): boolean {
  if (headerLine(lines[at] ?? "")?.kind !== "from") return false;
  const kinds = new Set(lines.slice(at + 1, at + 8).map((line) => headerLine(line)?.kind));
  return Number(kinds.has("date")) + Number(kinds.has("to")) + Number(kinds.has("subject")) >= 2;
}

const ATTRIBUTION_ENDS =
  /(\bwrote|\bschrieb( .{1,200})?|\ba écrit|escribió|ha scritto|schreef( .{1,200})?|escreveu|\bskrev( .{1,200})?|napisał(\(a\))?) ?[:：]$/i;

const ATTRIBUTION_LINES = 4;

/** Returns the line behind one that says who wrote what follows. Programs break it over several lines. */
function attributionEnd(lines: readonly string[], at: number, isRight: (text: string) => boolean): number | null {
  let text = "";
  for (let end = at; end < Math.min(at + ATTRIBUTION_LINES, lines.length); end++) {
    const line = (lines[end] ?? "").trim();
    if (line === "" || line.length > LONGEST_QUOTE_LINE || isQuoted(line)) return null;
    text = text === "" ? line : `${text} ${line}`;
    if (/[:：]$/.test(line)) return ATTRIBUTION_ENDS.test(text) && isRight(text) ? end + 1 : null;
  }
  return null;
}

const ATTRIBUTION_STARTS = /^[-*\s]*(on|am|le|el|il|em|op|den|w dniu|dnia)\s/i;

/** Without ">" below it, a sentence that ends like this must also say when: "Am 3. März um 10:12 schrieb …:". */
const isDated = (text: string): boolean =>
  ATTRIBUTION_STARTS.test(text) && /\d{4}|\d{1,2}[./]\d{1,2}/.test(text) && /\d{1,2}[:.h]\d{2}|@/.test(text);

/** Returns where the lines that end here begin to say who wrote what follows. */
function attributionBefore(lines: readonly string[], end: number): number | null {
  for (let at = end - 1; at >= Math.max(0, end - ATTRIBUTION_LINES); at--) {
    if (attributionEnd(lines, at, isDated) === end) return at;
  }
  return end > 0 && attributionEnd(lines, end - 1, () => true) === end ? end - 1 : null;
}
