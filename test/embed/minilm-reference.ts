/** Vectors of all-MiniLM-L6-v2 (int8 weights, in Node) for texts of our own, rounded to 8 bits: what Node and Chromium
 * are both held to, so that they agree with each other. */

const ROUNDED: Readonly<Record<string, string>> = {
  "I turned vegetarian in May, so no steak for me.":
    "HvXsPevLqerP5ELwwxr/7WvPGwiVEOISDPgN9toA8+7N8/rpLrEYGQgI/PpODeYPGtzl3cOb/NHoQOEb8tTO/PHl6gIZBfLYBQ3bGkUScN3F78QF/AvsLPwcKu7PEOLA5erIDPkB9QL6GscZ/uj2WBPhxiset/4GyDEWLZrrOwAG0Rj17yruEgbORbQj4QHyJ/AwJuH5FiQGCy+qvxLhDAPe8QwG0+HlLhgv3A8bLyH50vY3Kib4EDUQz4wZOPUGuQrx7Rc4NeTzxPAV787x/WVLERcgTv3BPN/99gzg8wAWESc2AbvfH/73H+gJ6wtUszfw3bExMUoERygTBaXvDvGx8nIGG/Qe9iwZf9zrKw/oFwQIEhgK5DUFu/nT4wb+LR/7CN8a5fnnCh4D+gb09Lfj/TVK4K/58k7u4ivqFwBfzuUlLOzE1DY70EniLP1EJL35A9AV69IG2OMqQQ0Z9fjb6C//DAXjtwjmTKX8Firt8uQjNNvyQBvhXww8s7j9",
  "Where did Anna go on holiday last summer?":
    "JSIuUA0VM+jq+QXpzB8NJvP0893kzvMXLDsF5tbmzgK6EgJIEOwh69zIFMIS7vALMQ0KJaD3GUoC7QkoJhkTCOzPAd02wRkr9+cp6jQvABvj00Yo7CvN1xEO9O7UICG+mjICMChtNAi77VSv0xDMvjSzKUUO9wbrEvH6ROYxIQDwzy8mP/AH1QXe/dewihkmBBHbbU4E/TEQJzge+P3t8Cn/8SsQ7+kYKvQ+L9H9Hgp/4/zuqPkdG9ziWBD99+QjBt0iBsQbDw4X2+wD7Msr/SD4NEjer+EH4ufkUhfJugAY38IAAB8BKTgk3M4kF/ocUP8TDsVM6QIIOz4FkcsJwuL4ATT+ANACKMMUYzUPyUZJ8NzL4AH2/9nhOObjze7Tqs0Y4esS3RzVDt0jFyIj6a4F49Ug1/zqCQL/AOiflgBBOuvH/eFAESE8ySYg7SzWNgnz+PHT98MQChEYFhX5KuvRwMdF5L/O/Qso7RjxDY1C5b4R6z/6+wq86yvrybAW",
  "Der Zug nach Köln fährt um 8:15 Uhr.":
    "239DBwtPBXEe2eOt39zW4eYBAeLvFAQIA/shwArYBAcA7hcCNLXxROL62PYgJh4I4DDt/ikFID0DCijq8R+v/eraHADhKR7C3hsC4bvgBN8F7fzlAtEvSBr51+3JIOcSFg5GGx40D0LwxvMI8OT72eilExX4l/PIEOgVHBsQMwDRytXWCt/iDxkS/fDap9znTPwm5O4NHhEsDhfq/wEd/tsG2x0EIfzhTPQN3FMpqtks9gIT4CIqEvQH3Rb1MAT28+oSCusOwiFP/PP/yyP1ONnxBfkdzB8G9v3m+xcq4AAl7PQU8Df7WcIe59RK5/rZH/X6/wK/+y774y8RzwEtEggTAhEnauYOFRW+Hyg02czX3y7vGaf7CtrnMgpBFh0E9+LJDAQmSRv7L/DTDUr7Fe4jBf/a9EHtI+j5LtcR8AD9veAIDbLF29YbCBmtCSkH3PsV4iMQH+IBF+IBzcs9VPEu88ceH+M97OXu5QTEBO82DuXBEsUyDOfIz+8v//Us",
};

export const REFERENCE: readonly { readonly text: string; readonly vector: Float32Array }[] = Object.entries(ROUNDED).map(
  ([text, rounded]) => {
    const vector = Float32Array.from(atob(rounded), (byte) => (byte.charCodeAt(0) << 24) >> 24);
    const norm = Math.hypot(...vector);
    return { text, vector: vector.map((value) => value / norm) };
  },
);
