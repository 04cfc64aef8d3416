#!/bin/sh
# Makes .env from .env.example in the current folder, with new secrets; addresses stay empty. Changes no .env that exists.
set -eu
umask 077

if [ -e .env ]; then
  echo ".env exists; it is left as it is" >&2
  exit 1
fi

while IFS= read -r line; do
  case $line in
    *_PASSWORD=) line="$line$(openssl rand -hex 24)" ;;
    PLATFORM_TOKEN=) line="$line$(openssl rand -hex 32)" ;;
    MASTER_KEYS=) line="${line}k1:$(openssl rand -base64 32)" ;;
  esac
  printf '%s\n' "$line"
done < .env.example > .env.new
mv .env.new .env

echo "Fill in .env:" $(grep -E '^[A-Z_]+=$' .env | tr -d =)
