# What to type, and in which order things happen. How each is done stands in scripts/.
.PHONY: run test setup site lint load pictures clean screenshots

# A studio with demo pictures in ./data, on http://127.0.0.1:3000 (see README.md for the settings).
run: setup site
	cargo build --release --package server
	scripts/run

# Everything that must hold: format, lints, all tests, in the browser too. Continuous integration runs exactly this.
test:
	scripts/setup test
	scripts/lint
	scripts/build-site
	cargo test --workspace --exclude frontend
	npm test --prefix end2end

setup:
	scripts/setup build

# What browsers fetch, in target/site.
site: setup
	scripts/build-site

lint: setup
	scripts/lint

# Pictures of every page, in target/screenshots, and the one in the README.
screenshots:
	scripts/setup test
	scripts/build-site
	cargo build --package server
	npm run screenshots --prefix end2end

# Storms against the release build, and peers beside it; the figures go into docs/benchmarks.md. About eight minutes.
# QUICK=1: small numbers, under a minute, no figures.
load:
	scripts/setup load
	scripts/build-site
	cargo build --release --package server
	# Its files are counted, not its speed: as `make test` builds it.
	cargo build --workspace --exclude frontend --example limited_downloads
	node end2end/load/run.mjs $(if $(QUICK),--quick,--write)

# Every case of the corpus beside libvips, and the speed, quality and memory of thumbnails beside sharp and vipsthumbnail; the
# tables go into docs/pictures.md and docs/benchmarks.md. About twenty minutes.
pictures:
	scripts/setup pictures
	cargo bench --package engine --bench pictures --no-run
	cargo build --release --manifest-path end2end/pictures/quality/Cargo.toml --target-dir target/quality
	node end2end/pictures/compare.mjs --write
	node end2end/pictures/benchmark.mjs --write

clean:
	cargo clean
	rm -rf scripts/node_modules end2end/node_modules end2end/load/peers/node_modules end2end/pictures/node_modules
