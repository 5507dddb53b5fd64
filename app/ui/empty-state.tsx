import type { ReactNode } from "react";
import { asResult } from "./page-announcer";

type EmptyStateProps = { title: string; body?: ReactNode; action?: ReactNode };

/** What a list says when it has no rows: what would be here, and the next thing to do. No illustration. */
export function EmptyState({ title, body, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2 {...asResult}>{title}</h2>
      {body ? <p>{body}</p> : null}
      {action}
    </div>
  );
}
