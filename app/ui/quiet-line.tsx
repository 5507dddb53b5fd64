import type { ReactNode } from "react";

/** Shows something that happened in one small line, between what people wrote: first when, then what. */
export function QuietLine({ when, children }: { when: ReactNode; children: ReactNode }) {
  return (
    <p className="flex max-w-none flex-wrap gap-x-2 pl-4 text-ink-2 text-xs/[1.5]">
      <span className="text-ink-3">{when}</span>
      <span>{children}</span>
    </p>
  );
}
