// @ts-check
// Sizes that parts of a board share.

export const TOUCH = 44; // px, the least width of a touch area
export const SMALL = 27; // px: a board whose fields are closer than this is shown in a window
export const TALL = 1.5; // height of a picture by its width, from which it moves in a window as soon as fields are small
export const EDGE = 20; // units of the picture
export const compact = matchMedia("(max-width: 899px), (max-height: 559px)"); // as in page.css
