// The scene that most cases show, as bytes, as an open picture and as a photograph.
import sharp from 'sharp';

import { cjpeg } from './jpeg.mjs';
import { grey, rgb } from './scenes.mjs';

export const [WIDTH, HEIGHT] = [92, 70];
export const size = { width: WIDTH, height: HEIGHT };
export const scene = { ...size, data: rgb(WIDTH, HEIGHT) };
export const greyScene = { ...size, channels: 1, data: grey(WIDTH, HEIGHT) };
export const raw = (data, channels) => sharp(data, { raw: { ...size, channels } });
export const photo = () => cjpeg(scene, ['-quality', '90']);
