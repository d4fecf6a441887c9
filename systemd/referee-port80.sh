#!/bin/sh
# referee-port80 PORT: reads a browser's request, and answers with the same address at the port of the page. The
# connection is standard input and output. A request that names no proper host gets no answer.
LC_ALL=C
export LC_ALL
port=$1 host=''
IFS=' ' read -r _ path _ || exit 0
while IFS= read -r line; do
  line=${line%"$(printf '\r')"}
  case $line in
    '') break ;;
    [Hh][Oo][Ss][Tt]:*) host=${line#*:} host=${host# } ;;
  esac
done
case $host in
  \[*\]:*) host=${host%:*} ;;
  \[*) ;;
  *) host=${host%%:*} ;;
esac
case $host in '' | *[!A-Za-z0-9.:[\]-]*) exit 0 ;; esac
case $path in /*) ;; *) path=/ ;; esac
case $path in *[!!-~]*) path=/ ;; esac
printf 'HTTP/1.1 302 Found\r\nLocation: http://%s:%s%s\r\nCache-Control: no-store\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' \
  "$host" "$port" "$path"
