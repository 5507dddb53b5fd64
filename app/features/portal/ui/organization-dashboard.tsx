import { shortDay } from "~/lib/due";
import { plural } from "~/lib/text";
import { Avatar } from "~/ui/avatar";
import { EmailText } from "~/ui/email-text";
import { Link } from "~/ui/link";
import { Page } from "~/ui/page";
import { Sheet } from "~/ui/sheet";
import { StatCards } from "~/ui/stat-cards";
import type { PortalDashboard } from "../model";
import { ContactLinks } from "./contact-links";

/** Shows an organization to its people: what waits, its tickets, its team, its plan. */
export function OrganizationDashboard({ organization, links, plan, team }: PortalDashboard) {
  return (
    <Page title={`Welcome back to ${organization.name}`} description="Nothing is waiting for you.">
      <StatCards
        label="Tickets by status"
        items={[
          { label: "Total", value: 0 },
          { label: "Open", value: 0, tone: "open" },
          { label: "In Progress", value: 0, tone: "progress" },
          { label: "Resolved", value: 0, tone: "resolved" },
        ]}
      />
      <div className="grid @min-[58rem]:grid-cols-[minmax(0,1fr)_20rem] grid-cols-[minmax(0,1fr)] items-start gap-5">
        <div className="grid min-w-0 gap-5">
          <Sheet id="tickets" title="Recent tickets" isMain>
            <div className="grid gap-2 border-line border-t px-4 py-5">
              <p>No tickets yet. When something breaks, or you need something set up, start here:</p>
              <ContactLinks />
            </div>
          </Sheet>
          {team ? <Team {...team} count={organization.members} links={links} /> : null}
        </div>
        <div className="grid min-w-0 gap-4">
          <Sheet id="organization" title="Organization" isMain>
            <div className="grid gap-2 px-4 pb-4">
              <p className="wrap-anywhere">
                <b>{organization.name}</b>
                <br />
                <span className="text-ink-2">
                  {organization.description ? `${organization.description} ` : null}
                  {plural(organization.members, "active member")}.
                </span>
              </p>
              <CardLinks links={links} />
            </div>
          </Sheet>
          <Sheet id="resolution" title="Resolution Rate" aside={<b>—</b>}>
            <p className="px-4 pb-4 text-ink-2">No tickets yet</p>
          </Sheet>
          <Plan plan={plan} />
        </div>
      </div>
    </Page>
  );
}

type Links = PortalDashboard["links"];

function CardLinks({ links }: { links: Links }) {
  if (links.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm max-md:[&_a]:py-2">
      {links.map(({ label, path }) => (
        <Link key={path} to={path}>
          {label}
        </Link>
      ))}
    </p>
  );
}

type TeamProps = NonNullable<PortalDashboard["team"]> & { count: number; links: Links };

/** Shows the first people of the organization, and how many of them prove more than a password. */
function Team({ members, withFactor, count, links }: TeamProps) {
  const [manage] = links;
  const size = plural(count, "active member");
  return (
    <Sheet
      id="team"
      title="Team"
      aside={manage ? <Link to={manage.path}>{size}</Link> : <span className="text-ink-2">{size}</span>}
    >
      <div className="grid gap-3 px-4 pb-4">
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] gap-x-6 gap-y-2">
          {members.map(({ name, note }) => (
            <li key={`${name} ${note}`} className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-2">
              <Avatar name={name} />
              <span className="wrap-anywhere">
                <EmailText email={name} />
                <br />
                <small className="text-ink-2 text-xs">{note}</small>
              </span>
            </li>
          ))}
        </ul>
        <p className="text-ink-2 text-sm">
          {withFactor} of {count} use two-step sign-in.
        </p>
      </div>
    </Sheet>
  );
}

/** Matches the hyphen of "4-hour", at which no line may end. */
const NUMBER_HYPHEN = /(?<=\d)-/g;

function Plan({ plan }: Pick<PortalDashboard, "plan">) {
  if (!plan) {
    return (
      <Sheet id="plan" title="Your plan">
        <p className="px-4 pb-4 text-ink-2">No plan agreed yet. Ask us which one fits.</p>
      </Sheet>
    );
  }
  const { name, features, startedOn } = plan;
  return (
    <Sheet
      id="plan"
      title={`Your plan: ${name}`}
      aside={
        startedOn ? (
          <span className="text-ink-2 text-sm">
            since {shortDay(startedOn)}, {startedOn.slice(0, 4)}
          </span>
        ) : null
      }
    >
      <ul className="grid gap-1 px-4 pb-4 text-ink-2 text-sm">
        {features.map((feature) => (
          <li key={feature}>{feature.replace(NUMBER_HYPHEN, "\u2011")}</li>
        ))}
      </ul>
    </Sheet>
  );
}
