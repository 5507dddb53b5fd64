import { Link } from "./link";

type LogoProps = { name: string; to: string };

/** The mark, a W drawn as two ticks, with the name beside it, as a link to where "home" is here. */
export function Logo({ name, to }: LogoProps) {
  return (
    <Link className="logo" to={to}>
      <svg viewBox="0 0 34 24" aria-hidden="true">
        <path className="t1" d="M2.5 9 8 19.5 16 5" />
        <path className="t2" d="M15.2 12.5 19 19.5 31.5 2" />
      </svg>
      {name}
    </Link>
  );
}
