import type { ReactNode } from "react";
import { Check, Icon } from "./icon";
import { sentAttributes } from "./page-announcer";

export function SentNotice({ label = "Sent", children }: { label?: string; children?: ReactNode }) {
  return (
    <p className="flex max-w-none scroll-mb-4 flex-wrap items-center gap-x-2 text-sm" {...sentAttributes}>
      <Icon of={Check} className="text-success" />
      <b className="text-success">{label}</b>
      {children}
    </p>
  );
}
