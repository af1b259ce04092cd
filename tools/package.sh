# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Part of `dev`, which includes it: packages.

# One file for pip. Shared libraries that systems need not have are in it.
package_wheel() {
  local out=$PWD/out/packages work=build/wheel
  setup build viewer python package
  rm -rf "$work"
  mkdir -p "$out" "$work"
  JOBS=$jobs /usr/bin/python3 -m pip wheel --no-build-isolation --no-deps --quiet -w "$work" .
  python3 tools/bundle_libraries.py "$work"/touche-*.whl "$out"
  say "testing it in an environment of its own"
  rm -rf "$work/venv"
  /usr/bin/python3 -m venv --system-site-packages "$work/venv"
  "$work/venv/bin/pip" install --quiet --no-deps --no-index --force-reinstall "$out"/touche-*.whl
  (cd "$work" && venv/bin/python -c "import touche; print(touche.__file__, touche.__version__)" &&
    venv/bin/touche --version && venv/bin/python -m touche scene nut-bolt --out scene >/dev/null &&
    venv/bin/python -c "import touche; print(touche.Study('scene/study.json').run().sentence)")
  ls -l "$out"/touche-*.whl
}

# The packages of debian/, of the commit that is checked out and what differs from it.
package_deb() {
  local out=$PWD/out/packages work=$PWD/build-package/touche
  setup build viewer python package check
  rm -rf "$work"
  mkdir -p "$out" "$work"
  git ls-files -z | xargs -0 cp --parents -t "$work"
  # npm's packages are fetched here: a build of a Debian package has no network.
  if [[ -d viewer/node_modules ]]; then cp -a viewer/node_modules "$work/viewer/"; fi
  # Debug symbols would take a third of the time, and thirty times the space of the libraries.
  (cd "$work" && DEB_BUILD_OPTIONS="parallel=$jobs nocheck noautodbgsym" DEB_CXXFLAGS_STRIP=-g \
    dpkg-buildpackage -us -uc -b)
  mv "$work"/../*.deb "$out"
  lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$out"/*.deb
  ls -l "$out"/*.deb
}

# In a bare Debian 12: install the packages, and get a first proved answer; find_package and import work.
package_try() {
  local root=$PWD/build-package/debian out=$PWD/out/packages
  setup package
  [[ -d $root/usr ]] || debootstrap --variant=minbase bookworm "$root"
  rm -rf "$root/packages" "$root/consumer"
  cp -r "$out" "$root/packages"
  cp -r tests/consumer "$root/consumer"
  cp /etc/resolv.conf "$root/etc/"
  # shellcheck disable=SC2016
  chroot "$root" bash -euc '
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q update >/dev/null
    start=$SECONDS
    apt-get -q install -y --no-install-recommends /packages/touche_*.deb /packages/libtouche0*.deb >/dev/null
    cd /tmp
    touche scene nut-bolt --out scene
    touche study scene/study.json --out report
    echo "a first proved report after $((SECONDS - start)) s"
    apt-get -q install -y --no-install-recommends /packages/python3-touche_*.deb /packages/libtouche-dev_*.deb \
      g++ cmake make >/dev/null
    python3 -c "import touche; print(touche.Study(\"scene/study.json\").run().sentence)"
    python3 -m touche --version
    cmake -S /consumer -B /tmp/consumer >/dev/null && cmake --build /tmp/consumer && ctest --test-dir /tmp/consumer'
}
