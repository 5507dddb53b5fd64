import type { ReactNode } from "react";

type DashboardLayoutProps = { main: ReactNode; rail: ReactNode; figures: ReactNode; facts: ReactNode };

/**
 * Arranges the dashboard: what waits, beside it what is planned, odd or not set up, below them the figures. On a narrow
 * page all of it stands in this order.
 */
export function DashboardLayout({ main, rail, figures, facts }: DashboardLayoutProps) {
  return (
    <div className="grid @wide:grid-cols-[minmax(0,1fr)_18rem] grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid grid-cols-[minmax(0,1fr)]">{main}</div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">{rail}</div>
      <div className="col-span-full grid @wide:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-4">
        {figures}
        {facts}
      </div>
    </div>
  );
}
