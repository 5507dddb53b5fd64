import { cva } from "class-variance-authority";

/**
 * Returns the classes of a form control; its `Field` marks it when it is not valid. `state` is a select in the colours
 * of the state it shows.
 */
export const controlLook = cva("w-full scroll-mt-20 rounded-2 border", {
  variants: {
    kind: {
      text: "min-h-tap border-control bg-sheet px-3 py-[0.45rem]",
      area: "field-sizing-content min-h-[calc(5lh+1rem)] resize-y border-control bg-sheet px-3 py-[0.45rem]",
      select:
        "min-h-tap appearance-none border-control bg-chevron bg-position-[right_0.6rem_center] bg-sheet bg-size-[1.05rem] bg-no-repeat py-[0.45rem] pr-[2.1rem] pl-3",
      state:
        "min-h-8 appearance-none border-transparent bg-chevron bg-position-[right_0.4rem_center] bg-size-[1.05rem] bg-no-repeat py-[0.2rem] pr-7 pl-[1.8rem] font-semibold text-xs hover:border-control max-md:min-h-11",
      file: "min-h-tap border-control border-dashed bg-sheet p-[0.45rem] file:mr-[0.9rem] file:rounded-2 file:border file:border-control file:border-solid file:bg-sunken file:px-[0.9rem] file:py-[0.6rem] file:font-sans file:font-semibold file:text-ink file:text-sm/[1]",
    },
  },
  defaultVariants: { kind: "text" },
});
