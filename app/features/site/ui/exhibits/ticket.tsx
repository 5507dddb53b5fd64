import { ticketExhibit } from "~/content/exhibits";
import { cx } from "~/ui/cx";
import { Icon } from "~/ui/icon";
import { CheckCheck } from "~/ui/icons";
import { Exhibit } from "./exhibit";

/** Shows a ticket from the promise to its end. */
export function TicketExhibit() {
  const { title, number, subject, terms, promise, messages, kept, note } = ticketExhibit;
  return (
    <Exhibit id="ticket" title={title} width="seven" note={note}>
      <p>
        <b>
          {number} {subject}
        </b>
        <span className="block text-ink-2">{terms}</span>
      </p>
      <p className="max-w-none bg-brand-tint px-3 py-2 font-semibold text-brand-ink">{promise}</p>
      {messages.map(({ from, text, isOurs }) => (
        <p key={from} className={cx("border-l-3 pl-3", isOurs ? "border-brand" : "border-line-strong")}>
          <b className="block">{from}</b>
          {text}
        </p>
      ))}
      <p className="flex gap-[0.4rem] font-semibold text-success">
        <Icon of={CheckCheck} className="mt-[0.15em]" />
        {kept}
      </p>
    </Exhibit>
  );
}
