import { frameReader } from "../../../dashboard/events/event-frames.ts";

const stream =
  ": comment\nretry: 2000\nevent: hello\ndata: {}\n\nid: 7\r\ndata: one\r\ndata:two\r\n\r\ndata: three\rdata\r\rid\nevent: x\n\ndata: end\n\ndata: cut";

const frames = [
  { id: "", type: "hello", data: "{}" },
  { id: "7", type: "message", data: "one\ntwo" },
  { id: "7", type: "message", data: "three\n" },
  { id: "", type: "message", data: "end" },
];

test("messages of a stream", () => {
  expect(frameReader()(stream)).toEqual(frames);
});

test("the size of the pieces does not matter", () => {
  for (let size = 1; size < 20; size += 1) {
    const read = frameReader();
    const found = [];
    for (let at = 0; at < stream.length; at += size) found.push(...read(stream.slice(at, at + size)));
    expect([size, found]).toEqual([size, frames]);
  }
});
