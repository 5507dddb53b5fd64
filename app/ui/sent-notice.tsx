import type { ReactNode } from "react";
import { Icon } from "./icon";
import { Check } from "./icons";
import { sentAttributes } from "./page-announcer";

/** Says at the foot of a composer that what was written is sent, and what can still be done about it. */
export function SentNotice({ label = "Sent", children }: { label?: string; children?: ReactNode }) {
  return (
    <p className="flex max-w-none scroll-mb-4 flex-wrap items-center gap-x-2 text-sm" {...sentAttributes}>
      <Icon of={Check} className="text-success" />
      <b className="text-success">{label}</b>
      {children}
    </p>
  );
}
