import type { Template } from "../model";
import { composeMail, factsBlock } from "./compose";
import { unsubscribeHeaders, unsubscribeLink } from "./unsubscribe";

/** Tells a member of staff in the morning what came the day before, and what waits. */
export const dailySummary: Template<"daily-summary"> = ({ day, facts, path, choicesPath, unsubscribePath }, { site }) =>
  composeMail({
    subject: `Summary of ${day}`,
    site,
    headers: unsubscribeHeaders(site, unsubscribePath),
    blocks: [
      ...factsBlock("The day before, and now", facts),
      { kind: "link", label: "Open the dashboard", href: site.origin + path },
      { kind: "link", label: "Choose which mail you get", href: site.origin + choicesPath, isQuiet: true },
      ...unsubscribeLink(site, unsubscribePath),
    ],
  });
