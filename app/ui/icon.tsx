import { cx } from "./cx";

/** Screen readers skip it: the words carry the meaning. */
export function Icon({ of: shape, size = "1.125em", className }: { of: string; size?: string; className?: string }) {
  return (
    <svg
      className={cx("flex-none", className)}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shape} />
    </svg>
  );
}

/** One path each, stroked in a square of 24, drawn after Lucide (lucide.dev; its license stands in LICENSE). */

const RING = "M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0Z";

export const Bell =
  "M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326";
export const Bolt = "M13 3 5 14h6l-1 7 8-11h-6z";
export const Check = "M20 6 9 17l-5-5";
export const CheckCheck = "M18 6 7 17l-5-5M22 10l-7.5 7.5L13 16";
export const ChevronDown = "m6 9 6 6 6-6";
export const Circle = RING;
export const CircleAlert = `${RING}M12 8v4M12 16h.01`;
export const CircleCheck = `${RING}M16 9l-5.5 5.5L8 12`;
// Strokes that overlap fill the half inside the ring.
export const CircleHalf = `${RING}M12 18a6 6 0 0 0 0-12ZM12 16.5a4.5 4.5 0 0 0 0-9ZM12 15a3 3 0 0 0 0-6ZM12 13.5a1.5 1.5 0 0 0 0-3Z`;
export const CircleMinus = `${RING}M8 12h8`;
export const CirclePause = `${RING}M10 15V9M14 15V9`;
export const Clock = `${RING}M12 6v6l4 2`;
export const Info = `${RING}M12 16v-4M12 8h.01`;
export const Lock = "M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM7 11V7a5 5 0 0 1 10 0v4";
export const Mail =
  "m22 7-8.991 5.727a2 2 0 0 1-2.009 0L2 7M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z";
export const Handset =
  "M13.832 16.568a1 1 0 0 0 1.213-.303l.355-.465A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.468.351a1 1 0 0 0-.292 1.233 14 14 0 0 0 6.392 6.384";
export const Search = "m21 21-4.35-4.35M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z";
export const TriangleAlert =
  "m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01";
export const X = "M18 6 6 18M6 6l12 12";
