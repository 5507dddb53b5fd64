import { useBrand } from "~/features/settings/brand";
import { Panel } from "~/ui/panel";
import { PRIORITY_LABELS } from "../../labels";
import type { NewTicketPage } from "../model";

type AsideProps = Pick<NewTicketPage, "plan" | "previews" | "hours" | "incidents">;

/** Shows how soon the plan promises a reply, what helps us, and what to do in an emergency. */
export function NewTicketAside({ plan, previews, hours, incidents }: AsideProps) {
  const { phone } = useBrand();
  return (
    <aside className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="When you will hear from us">
      <Panel id="response" title="When you'll hear from us">
        <table className="w-full text-sm @max-[16rem]:[&_:is(th,td)]:block">
          <thead>
            <tr className="text-left text-ink-2">
              <th scope="col" className="whitespace-nowrap py-1 pr-3 font-normal">
                {plan ? `${plan} plan` : "Priority"}
              </th>
              <th scope="col" className="py-1 font-normal">
                first reply within
              </th>
            </tr>
          </thead>
          <tbody>
            {previews.map(({ priority, within }) => (
              <tr key={priority} className="border-line border-t align-top">
                <th scope="row" className="py-1 pr-3 text-left font-semibold">
                  {PRIORITY_LABELS[priority]}
                </th>
                <td className="py-1">{within}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="mt-3 text-ink-2 text-sm">
          Our hours are {hours}. {incidents}
        </p>
      </Panel>
      <Panel id="tips" title="What helps us">
        <ul className="grid list-disc gap-1 pl-5">
          <li>One problem per ticket.</li>
          <li>The computer's name. It is on the sticker.</li>
          <li>A photo of the screen or the light.</li>
        </ul>
      </Panel>
      <Panel id="emergency" title="Emergency">
        <p>
          If people can't work or data may be at risk, choose Urgent
          {phone ? (
            <>
              {" "}
              and call{" "}
              <a className="whitespace-nowrap" href={phone.href}>
                {phone.display}
              </a>
            </>
          ) : null}
          .
        </p>
      </Panel>
    </aside>
  );
}
