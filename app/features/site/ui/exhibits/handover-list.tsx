import { handoverList } from "~/content/exhibits";
import { Exhibit } from "./exhibit";

/** Shows what a client holds after leaving. */
export function HandoverList() {
  const { title, text, items, note } = handoverList;
  return (
    <Exhibit id="leave" title={title} width="five" note={note}>
      <p>{text}</p>
      <ul className="grid gap-[0.35rem]">
        {items.map(({ what, text: rest }) => (
          <li key={what}>
            <b>{what}</b>
            {rest}
          </li>
        ))}
      </ul>
    </Exhibit>
  );
}
