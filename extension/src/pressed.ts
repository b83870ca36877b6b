// What the user presses in the extension's own pages. A press that a script makes is
// no order, least of all one that loosens something; Enter and the space bar are
// presses like those of a pointer.

export function whenPressed(element: HTMLElement, act: (event: MouseEvent) => void): void {
  element.addEventListener("click", (event) => {
    if (event.isTrusted) act(event);
    else event.preventDefault();
  });
}
