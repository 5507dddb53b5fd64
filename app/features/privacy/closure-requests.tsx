import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/page";
import { Time } from "~/ui/text";
import { personPath } from "./model";
import type { listClosureRequests } from "./queries.server";

type ClosureRequestsProps = { requests: Awaited<ReturnType<typeof listClosureRequests>>; zone: string };

export function ClosureRequests({ requests, zone }: ClosureRequestsProps) {
  if (requests.length === 0) return null;
  return (
    <Sheet id="closures" title="Accounts to close">
      <SheetRows>
        {requests.map(({ id, name, email, at }) => (
          <li key={id} className="wrap-anywhere">
            <Link to={personPath(id)}>{name}</Link>{" "}
            <span className="text-ink-2 text-sm">
              {email}, asked for it <Time at={at} zone={zone} mode="date" />
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
