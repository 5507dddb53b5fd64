import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "./cx";

type DetailsPanelProps = {
  label: ReactNode;
  summaryClass: string;
  isOpen?: boolean;
  className?: string;
  children: ReactNode;
};

/** Without scripts a disclosure; with them Escape and a click elsewhere close it too. */
export function DetailsPanel({ label, summaryClass, isOpen = false, className, children }: DetailsPanelProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const panel = details.current;
      if (!panel?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        if (panel.contains(document.activeElement)) panel.querySelector("summary")?.focus();
      } else if (panel.contains(event.target as Node)) return;
      panel.open = false;
    };
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", close);
    };
  }, []);
  return (
    <details ref={details} className={cx("relative", className)} open={isOpen || undefined}>
      <summary className={cx("list-none [&::-webkit-details-marker]:hidden", summaryClass)}>{label}</summary>
      <div className="details-panel">{children}</div>
    </details>
  );
}
