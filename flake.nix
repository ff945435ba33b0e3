{
  description = "Chat with text models, make pictures, test one prompt across many models";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.buildGoModule {
          pname = "confab";
          version = self.shortRev or "dirty";
          src = self;
          # Of the modules in go.sum; .ci/release prints the new one after a change there.
          vendorHash = "sha256-+XIVgewXwMErK02NhdM2/xrl96qCM1UehvDPcdEhw2Q=";
          subPackages = [ "." ];
          env.CGO_ENABLED = 0;
          ldflags = [ "-s" "-w" ];
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            export HOME=$TMPDIR
            $out/bin/confab man > confab.1
            installManPage confab.1
            for shell in bash fish zsh; do
              $out/bin/confab completion $shell > confab.$shell
              installShellCompletion confab.$shell
            done
          '';
          meta = {
            description = "Chat with text models, make pictures, test one prompt across many models";
            license = pkgs.lib.licenses.mit;
            mainProgram = "confab";
          };
        };
      });
      devShells = each (pkgs: { default = pkgs.mkShell { packages = [ pkgs.go pkgs.goreleaser ]; }; });
    };
}
