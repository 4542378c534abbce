// What is wrong with the layout of a page: parts that are cut, columns narrower than twelve characters although
// their text takes several lines, and text below 12 px. What the keyboard scrolls, such as a table, may be wider.
() => {
  const problems = [];
  const named = (one) => [one.localName, one.id && `#${one.id}`, one.getAttribute("class")].filter(Boolean).join(" ");
  const say = (what, one) =>
    problems.push(`${what}: ${named(one.parentElement)} > ${named(one)}: ${one.textContent.slice(0, 40)}`);
  const text = document.createElement("canvas").getContext("2d");
  const isShown = (one) =>
    one.checkVisibility({ visibilityProperty: true }) && !one.closest(".visually-hidden, .skip, datalist, option");
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) say(`wide ${root.scrollWidth}`, document.body);
  for (const one of document.body.querySelectorAll("*")) {
    if (!isShown(one)) continue;
    const style = getComputedStyle(one);
    const isDrawing = one.namespaceURI.endsWith("svg");
    if (!isDrawing && style.display !== "inline" && !one.matches("input, textarea, select, [tabindex='0']")) {
      if (style.overflowX !== "visible" && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1) {
        say(`cut to ${one.clientWidth} of ${one.scrollWidth} px`, one);
      }
      const hidesMore = ["hidden", "clip"].includes(style.overflowY);
      // Text below its line box, such as that of a fixed-width face, is no line.
      if (hidesMore && one.clientHeight > 1 && one.scrollHeight > one.clientHeight + 3) {
        say(`cut to ${one.clientHeight} of ${one.scrollHeight} px in height`, one);
      }
    }
    const words = [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ textContent }) => textContent.trim()).join(" ").trim();
    if (!words) continue;
    const matrix = isDrawing ? one.getScreenCTM() : null;
    const size = parseFloat(style.fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    if (size > 0 && size < 11.95) say(`${size.toFixed(1)} px`, one);
    if (isDrawing || style.display === "inline" || words.length < 12) continue;
    const range = document.createRange();
    range.selectNodeContents(one);
    const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top / 4));
    text.font = style.font;
    const width = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const least = 12 * text.measureText("0").width;
    if (new Set(tops).size > 1 && width < least - 1) say(`${width.toFixed(0)} px for ${least.toFixed(0)}`, one);
  }
  return problems;
}
