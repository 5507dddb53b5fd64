import { Link } from "~/ui/link";
import { Tag } from "~/ui/status-pill";
import { Time } from "~/ui/time";
import { ordinal, type Repeat } from "../../model";
import { submissionPath } from "../../subject";

type RepeatsProps = { submissionId: string; repeats: readonly Repeat[]; zone: string };

/** Tells that somebody has written before, or again, and links to it. Shows nothing for those who have written once. */
export function Repeats({ submissionId, repeats, zone }: RepeatsProps) {
  const position = repeats.findIndex(({ id }) => id === submissionId) + 1;
  const others = repeats.filter(({ id }) => id !== submissionId);
  if (others.length === 0) return null;
  return (
    <section className="mt-4" aria-labelledby="repeats-title">
      <h3 className="mb-[0.35rem] text-sm" id="repeats-title">
        {position > 0 ? <Tag>{ordinal(position)} request</Tag> : "Other requests"}
      </h3>
      <ul>
        {others.map(({ id, number, submittedAt }) => (
          <li key={id}>
            <Link to={submissionPath(id)}>{number}</Link>, <Time at={submittedAt} zone={zone} mode="date" />
          </li>
        ))}
      </ul>
    </section>
  );
}
