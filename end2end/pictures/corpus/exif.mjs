// EXIF blocks that tell an orientation, and how each format carries them.
import { chunk } from './png.mjs';

/** In either byte order; `before` puts other tags ahead of it, as cameras do. */
export function exif(orientation, { little = false, before = false } = {}) {
  const entries = [
    ...(before
      ? [
          [0x010f, 2, 4, 'abc\0'],
          [0x0110, 2, 4, 'def\0'],
        ]
      : []),
    [0x0112, 3, 1, orientation],
  ];
  const block = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  const write = (bits, value, at) => block[`writeUInt${bits}${little ? 'LE' : 'BE'}`](value, at);
  block.write(little ? 'II' : 'MM', 0, 'latin1');
  write(16, 42, 2);
  write(32, 8, 4);
  write(16, entries.length, 8);
  entries.forEach(([tag, kind, count, value], index) => {
    const at = 10 + index * 12;
    write(16, tag, at);
    write(16, kind, at + 2);
    write(32, count, at + 4);
    if (typeof value === 'string') block.write(value, at + 8, 'latin1');
    else write(16, value, at + 8);
  });
  return block;
}

export const inPng = (block) => chunk('eXIf', block);
export const inJpeg = (block) => [0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block])];
