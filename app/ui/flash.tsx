import { CheckCheck, CircleAlert, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "./icon";

export type MessageKind = "success" | "error" | "info" | "warning";

export type Flash = { kind: MessageKind; title: string; message: string };

const GLYPHS: Record<MessageKind, LucideIcon> = {
  success: CheckCheck,
  error: CircleAlert,
  info: Info,
  warning: TriangleAlert,
};

/**
 * The one-time message of the action before, first in `main`. The regions are always there, because a live region
 * that arrives together with its text is not announced; for the same reason a text that was in the document from the
 * start is put in once more after loading.
 */
export function FlashRegion({ flash }: { flash: Flash | null }) {
  const [round, setRound] = useState(0);
  useEffect(() => setRound(1), []);
  const notice = flash ? <Notice key={round} {...flash} /> : null;
  const failed = flash?.kind === "error";
  return (
    <>
      <div className="flash-region" role="status">
        {failed ? null : notice}
      </div>
      <div className="flash-region" role="alert">
        {failed ? notice : null}
      </div>
    </>
  );
}

type NoticeProps = { kind: MessageKind; title?: ReactNode; message?: ReactNode };

/** A message that stands in the page. Not a live region by itself. */
export function Notice({ kind, title, message }: NoticeProps) {
  return (
    <div className={`flash ${kind}`}>
      <Icon of={GLYPHS[kind]} />
      <p>
        {title ? <strong>{title}</strong> : null} {message}
      </p>
    </div>
  );
}
