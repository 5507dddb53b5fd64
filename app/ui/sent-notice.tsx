import type { ReactNode } from "react";
import { useSending } from "./form";
import { Check, Icon } from "./icon";
import { sentAttributes } from "./page-announcer";

/** Says inside a form that what it sent before has arrived, until something of it does not. */
export function SentNotice({ label = "Sent", children }: { label?: string; children?: ReactNode }) {
  const { notSaved, rejection } = useSending().answer;
  if (notSaved || rejection) return null;
  return (
    <p className="flex max-w-none scroll-mb-4 flex-wrap items-center gap-x-2 text-sm" {...sentAttributes}>
      <Icon of={Check} className="text-success" />
      <b className="text-success">{label}</b>
      {children}
    </p>
  );
}
