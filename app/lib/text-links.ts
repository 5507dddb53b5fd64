/** Holds a part of a text: words, or an address that can be followed. */
type TextPart = { text: string; isLink: boolean };

// Characters that change the direction of a text, or cannot be seen, are part of no address.
const ADDRESS = /\bhttps?:\/\/[^\s<>"\p{Cf}]+/giu;

/** Matches what is surely a website: no user name, which may look like one, and no letters that look like others. */
const WEBSITE = /^https?:\/\/[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?(?:[/?#].*)?$/i;

/**
 * Splits a text at the addresses of websites in it. Only what begins with "http://" or "https://" is one; the
 * punctuation after it belongs to the sentence.
 */
export function splitAtLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    if (!WEBSITE.test(address)) continue;
    parts.push({ text: text.slice(from, index), isLink: false }, { text: address, isLink: true });
    from = index + address.length;
  }
  parts.push({ text: text.slice(from), isLink: false });
  return parts.filter((part) => part.text);
}

/** Returns an address without the punctuation behind it. A bracket that was opened inside is part of it. */
function withoutPunctuation(address: string): string {
  const behind = address.includes("(") ? ".,;:!?'*_’”]}" : ".,;:!?'*_’”]})";
  let end = address.length;
  while (behind.includes(address.charAt(end - 1)) && end > 0) end -= 1;
  return address.slice(0, end);
}
