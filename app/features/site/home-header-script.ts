/*
 * The whole script of Home, loaded with `defer`. Its header shows past 200 px of scrolling and hides again under 100
 * px, so that it does not come and go around one line, and shows for good on the signal: a `show-navbar` event of the
 * document. After three seconds the style sheet shows it anyway, also where this script never arrives
 * (docs/decisions/0002-render-to-string.md).
 */
const SHOWN_PAST = 200;
const HIDDEN_UNDER = 100;

const header = document.querySelector<HTMLElement>("[data-navbar]");
if (header) start(header);

function start({ dataset }: HTMLElement) {
  const follow = () => {
    if (scrollY > SHOWN_PAST) dataset.navbar = "shown";
    else if (scrollY < HIDDEN_UNDER) dataset.navbar = "waits";
  };
  addEventListener("scroll", follow, { passive: true });
  document.addEventListener("show-navbar", () => {
    removeEventListener("scroll", follow);
    dataset.navbar = "shown";
  });
  // The browser may have come back to where the reader was.
  follow();
}
