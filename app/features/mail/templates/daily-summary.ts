import type { Template } from "../model";
import { composeMail, factsBlock } from "./compose";

/** Tells a member of staff in the morning what came the day before, and what waits. */
export const dailySummary: Template<"daily-summary"> = ({ day, facts, path, choicesPath }, { site }) =>
  composeMail({
    subject: `Summary of ${day}`,
    site,
    blocks: [
      ...factsBlock("The day before, and now", facts),
      { kind: "link", label: "Open the dashboard", href: site.origin + path },
      { kind: "link", label: "Choose which mail you get", href: site.origin + choicesPath },
    ],
  });
